/** The fields of certifications; each has a motif in the badges. */
export const FIELDS = [
  'networking',
  'security',
  'ai',
  'data',
  'operations',
  'developer',
  'architecture',
  'practitioner',
] as const
export type Field = (typeof FIELDS)[number]

/** The words of a title that name a field, in the order of `FIELDS`: an AI developer's course is about AI. */
const words: Record<Field, RegExp> = {
  networking: /\bnetwork/,
  security: /\b(security|identity|compliance)\b/,
  ai: /\b(ai|ml|machine learning|generative)\b/,
  data: /\b(data|databases?|analytics)\b/,
  operations: /\b(devops|cloudops|sysops|operations|administrator)\b/,
  developer: /\bdevelop/,
  architecture: /\barchitect/,
  practitioner: /\b(practitioner|fundamentals|foundations)\b/,
}

/** The field that the title of a course names; null if it names none. */
export function fieldOf(title: string): Field | null {
  const text = title.toLowerCase()
  return FIELDS.find((field) => words[field].test(text)) ?? null
}
