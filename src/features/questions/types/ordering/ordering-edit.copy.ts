export const copy = {
  'steps.list': 'must be a list of steps',
  'steps.many': 'The question can have at most eight steps.',
  'distractors.list': 'must be a list of steps',
  'distractors.many': 'At most four steps can stay out.',

  'editor.steps': 'Steps',
  'editor.steps.hint': 'Three to eight, in their right order. Learners see them shuffled.',
  'editor.step': 'Step {n}',
  'editor.step.add': 'Add a step',
  'editor.distractors': 'Steps that stay out',
  'editor.distractors.hint': 'Up to four, if learners first have to select the steps. None of them may fit anywhere.',
  'editor.distractor': 'Step {n} that stays out',
  'editor.distractor.add': 'Add a step that stays out',
  'editor.out': 'Stays out',
  'editor.summary': '{n:step|steps} in order',
  'editor.summary.more': '{n:step|steps} in order, {out} to leave out',

  'correction.left': 'The file has more steps than a question can have. These are left out:',

  'key.none': 'Give every step its place.',
  'key.unknown': 'This step is not one of the question.',
  'key.twice': 'Each step can have one place.',
  'key.count':
    'Learners were asked to order {n:step|steps}, so a corrected key has as many. For another number change the draft and publish.',
  'key.right': 'The right order',
  'key.place': 'Place of “{text}”',
  'key.out': 'Stays out',
  'key.now': 'Place {n} until now',
  'key.now.out': 'Stayed out until now',

  'print.order': 'Number the steps from 1 to {n}.',
  'print.select': 'Select {n:step|steps} and number them from 1 to {n}.',
  'statistics.steps': 'Steps',
  'statistics.steps.of': 'Steps of question {n}',
  'statistics.right': 'at its place',
  'statistics.out': 'stays out',
} as const

/** What a summary of changes calls the parts that only this type has. */
export const ORDERING_PARTS = { steps: 'steps' } as const
