import type { Blueprint } from '../questions.schema.ts'

/** Cents exactly, or the value itself, which the shape then refuses. */
export function centsOf(dollars: unknown): unknown {
  if (typeof dollars !== 'number') return dollars
  const cents = Math.round(dollars * 100)
  return Math.abs(dollars * 100 - cents) < 1e-6 ? cents : dollars
}

/** A blueprint under the names that files have for its parts. */
export function blueprintFields({ code, minutes, questions, passingScore, source, domains, curve, guide }: Blueprint) {
  return {
    code,
    minutes,
    questions,
    passing_score: passingScore,
    source,
    domains: domains.map(({ name, weight }) => ({ name, weight })),
    ...(curve && { curve }),
    ...(guide !== undefined && { guide }),
  }
}

export function blueprintOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { passing_score: passingScore, ...others } = Object.fromEntries(Object.entries(value))
  return { ...others, passingScore }
}
