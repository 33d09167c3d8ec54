import type { Difficulty } from './types/question-base.schema.ts'

export const difficultyNames = {
  '': 'Not set',
  easy: 'Easy',
  medium: 'Medium',
  hard: 'Hard',
} as const satisfies Record<Difficulty, string>
