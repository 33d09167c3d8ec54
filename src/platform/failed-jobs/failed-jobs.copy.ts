export const copy = {
  'jobs.heading': 'Failed emails and jobs',
  'jobs.about':
    'These jobs failed each time they were tried. Trying again runs the job unchanged; dismissing deletes it.',
  'jobs.mail': 'Email to {to}: {subject}',
  'jobs.line': 'Failed on {at}, after {n:try|tries}',
  'jobs.why': 'The reason given: {why}',
  'jobs.retry': 'Try again',
  'jobs.retry.of': 'Try again: {what}',
  'jobs.retry.done': 'The job is tried again',
  'jobs.dismiss': 'Dismiss',
  'jobs.dismiss.of': 'Dismiss: {what}',
  'jobs.dismiss.done': 'Dismissed',
  'jobs.none': 'Nothing has failed.',
  'jobs.not-found': 'This job is no longer among the failed jobs.',
} as const
