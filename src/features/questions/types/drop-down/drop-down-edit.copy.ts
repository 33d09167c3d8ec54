export const copy = {
  'gaps.list': 'must be a list of gaps',
  'gaps.many': 'The question can have at most eight gaps.',
  'options.list': 'must be a list of choices',
  'options.many': 'A gap can have at most ten choices.',

  'editor.gap': 'Gap {n}',
  'editor.gap.hint':
    'Two to ten choices, of which one is right. Learners see them shuffled. In the text the gap stands at [[{n}]].',
  'editor.gap.add': 'Add a gap',
  'editor.gap.remove': 'Remove gap {n}',
  'editor.gap.right': 'Right choice',
  'editor.option': 'Gap {gap}, choice {n}',
  'editor.option.short': 'Choice {n}',
  'editor.option.add': 'Add a choice to gap {n}',
  'editor.right': 'Right',
  'editor.summary': '{n:gap|gaps} to fill from lists',

  'correction.left': 'The file has more than a question can have. This is left out:',

  'key.none': 'Choose for every gap.',
  'key.unknown': 'This choice is not one of the gap.',
  'key.right': 'The right choices',
  'key.now': 'Until now: {text}',

  'print.task': 'Write a letter on each line.',
  'print.gap': 'Gap {n}',
  'statistics.gaps': 'Choices of gaps',
  'statistics.gaps.of': 'Choices of question {n}',
  'statistics.right': 'right',
} as const

/** What a summary of changes calls the parts that only this type has. */
export const DROP_DOWN_PARTS = { gaps: 'gaps' } as const
