export const copy = {
  'prompts.list': 'must be a list of prompts',
  'prompts.many': 'The question can have at most eight prompts.',
  'options.list': 'must be a list of options',
  'options.many': 'The question can have at most ten options.',
  'option.place': 'must be the place of an option',

  'editor.options': 'Options',
  'editor.options.hint': 'Two to ten. Learners see them shuffled. Options that no prompt has are there to mislead.',
  'editor.option': 'Option {letter}',
  'editor.option.add': 'Add an option',
  'editor.reuse': 'An option may be the answer of several prompts',
  'editor.prompts': 'Prompts',
  'editor.prompts.hint': 'Two to eight, each with its option. Learners see them in this order.',
  'editor.prompt': 'Prompt {n}',
  'editor.prompt.add': 'Add a prompt',
  'editor.right': 'Option for prompt {n}',
  'editor.right.none': 'Choose an option',
  'editor.right.line': 'Right option: {letter}. {text}',
  'editor.summary': '{n:prompt|prompts}, {options:option|options}',
  'editor.summary.reuse': '{n:prompt|prompts}, {options:option|options} to be used often',

  'correction.left': 'The file has more parts than a question can have. These are left out:',

  'key.none': 'Give every prompt an option.',
  'key.unknown': 'This prompt or option is not one of the question.',
  'key.count': 'Every prompt needs an option, and each option can be used once.',
  'key.count.reuse': 'Every prompt needs an option.',
  'key.right': 'The right options',
  'key.option': 'Option for “{text}”',
  'key.now': 'Until now: {letter}. {text}',

  'print.once': 'Write the letter of an option before each number. Each option is used once at most.',
  'print.often': 'Write the letter of an option before each number. An option can be used more than once.',
  'statistics.pairs': 'Pairs',
  'statistics.pairs.of': 'Pairs of question {n}',
  'statistics.right': 'right pair',
} as const

/** What a summary of changes calls the parts that only this type has. */
export const MATCHING_PARTS = { prompts: 'prompts' } as const
