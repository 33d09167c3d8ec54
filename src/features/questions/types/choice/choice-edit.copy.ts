export const copy = {
  'options.list': 'must be a list of answers',
  'options.many': 'The question can have at most twelve answers.',
  'option.foreign': 'This answer does not belong to the question.',

  'editor.options': 'Answers',
  'editor.options.hint': 'Two to twelve. Mark each right one.',
  'editor.option': 'Answer {letter}',
  'editor.option.right': 'Answer {letter} is right',
  'editor.option.add': 'Add an answer',
  'editor.option.remove': 'Remove answer {letter}',
  'editor.right': 'Right',
  'editor.order': 'How learners see the answers',
  'editor.order.shuffled': 'Shuffled',
  'editor.order.last-stays': 'Shuffled, the last one stays last',
  'editor.order.fixed': 'In this order',
  'editor.summary': '{n:right answer|right answers} of {all}',

  'correction.left': 'The file has more answers than a question can have. These are left out:',

  'key.none': 'Mark at least one answer as right.',
  'key.unknown': 'This answer is not one of the question.',
  'key.count':
    'Learners were asked to choose {n}, so a corrected key has {n} as well. For another number change the draft and publish.',
  'key.right': 'The right answers',
  'key.now': 'Right until now',

  'print.choose': 'Choose {n}.',
  'print.answer': 'Answer',
} as const
