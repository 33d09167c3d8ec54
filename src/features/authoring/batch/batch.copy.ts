export const copy = {
  'batch.unknown': 'A question is no longer in the draft. Reload the list first.',
  'batch.key-taken': 'The other exam has a question with the same key already. Copy it instead of moving it.',
  'batch.full': 'The other exam would have more than 1,000 questions.',
  'batch.same-exam': 'The questions are in this exam already.',
  'batch.ids': 'must be the keys of questions',
  'batch.as': 'must be move or copy',
  'send.title': 'Move or copy {said}',
  'send.search': 'Exam or course',
  'send.hint':
    'Exams of this course are listed first. Type a part of a title, of the exam or its course, to find any other.',
  'send.this': 'This exam: {about}',
  'send.move': 'Move there',
  'send.copy': 'Copy there',
  'batch.flag': 'must be true or false',
  'replace.scope': 'must name a course or an exam',
  'replace.find': 'Say what to look for.',
  'replace.long': 'can have at most 1,000 characters',
} as const
