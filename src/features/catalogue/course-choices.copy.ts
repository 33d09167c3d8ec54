export const copy = {
  'choice.search.long': 'can have at most 400 characters',
  'choice.hint': 'Type a part of its title, address or code.',
  'choice.unclear.none': 'No course matches “{named}”.',
  'choice.unclear.many':
    '{n:course matches|courses match} “{named}”. Type more of the title, or the address of the course.',
  'choice.state.draft': 'Draft',
  'choice.state.published': 'Published',
  'choice.state.withdrawn': 'Withdrawn',
} as const
