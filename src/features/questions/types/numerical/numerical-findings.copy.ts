import { refused, warning } from '../type-findings.ts'

export const NUMERICAL_REASONS = {
  'number-wrong': refused((about) => `"${about}" is not a number.`),
  'tolerance-negative': refused((about) => `The tolerance can't be below zero: ${about}`),
} as const

export const NUMERICAL_REMARKS = {
  'tolerance-wide': warning(
    'Tolerance as great as the number',
    (key: string) => `The tolerance is as great as the number, so that zero is right too: ${key}`,
  ),
} as const
