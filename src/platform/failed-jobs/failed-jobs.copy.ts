export const copy = {
  'jobs.heading': 'Failed mails and jobs',
  'jobs.about':
    'Each was tried as often as it may be. What is tried again goes out as it was; what is dismissed is gone.',
  'jobs.mail': 'Mail to {to}: {subject}',
  'jobs.line': 'failed on {at}, after {n} tries',
  'jobs.why': 'The reason given: {why}',
  'jobs.retry': 'Try again',
  'jobs.retry.of': 'Try again: {what}',
  'jobs.retry.done': 'It is tried again',
  'jobs.dismiss': 'Dismiss',
  'jobs.dismiss.of': 'Dismiss: {what}',
  'jobs.dismiss.done': 'Dismissed',
  'jobs.none': 'Nothing has failed.',
  'jobs.not-found': 'This job is not among the failed ones any more.',
} as const
