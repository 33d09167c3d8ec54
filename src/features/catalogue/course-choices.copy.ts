export const copy = {
  'choice.search.long': 'can have at most 400 characters',
  'choice.hint': 'Type a part of its title, address or code.',
  'choice.unclear.none': 'No course matches “{named}”.',
  'choice.unclear.many': '{n} courses match “{named}”. Type more of the title, or the address of the course.',
  'choice.state.draft': 'Draft',
  'choice.state.published': 'Published',
  'choice.state.withdrawn': 'Withdrawn',
  'choice.exams.one': '1 exam',
  'choice.exams': '{n} exams',
  'choice.questions.one': '1 question',
  'choice.questions': '{n} questions',
} as const
