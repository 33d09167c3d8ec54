export const copy = {
  'access.none': 'Buy this course to take its exams.',
  'access.ended': 'Your access to this course has ended. Renew it to take its exams; your results stay readable.',

  'access.letter.ends-soon.subject': 'Your access to {title} ends soon',
  'access.letter.ends-soon': 'your access to {title} ends on {at}.',
  'access.letter.ends-soon.renew': 'Renew it before then, and {days} days are added at its end; no day is lost.',
  'access.letter.ended.subject': 'Your access to {title} has ended',
  'access.letter.ended': 'your access to {title} ended on {at}.',
  'access.letter.ended.renew': 'Renew it whenever you like: {days} days start with the payment.',
  'access.letter.results': 'Your results and reviews stay readable.',
  'access.letter.action': 'Renew access',
  'access.letter.unsold': 'This course is no longer sold, so it cannot be renewed.',
  'access.letter.unsold.action': 'My courses',
} as const
