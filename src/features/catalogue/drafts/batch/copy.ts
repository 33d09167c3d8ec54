export const copy = {
  'batch.unknown': 'A question is not in the draft any more. Look at the list again first.',
  'batch.key-taken': 'The other exam has a question with the same key already. Copy it instead of moving it.',
  'batch.full': 'The other exam would have more than 1,000 questions.',
  'batch.same-exam': 'The questions are in this exam already.',
  'batch.ids': 'must be the keys of questions',
  'batch.as': 'must be move or copy',
  'replace.scope': 'must name a course or an exam',
  'replace.find': 'Say what to look for.',
  'replace.long': 'can have at most 1,000 characters',
  'replace.changed': 'changed since you looked at it',
} as const
