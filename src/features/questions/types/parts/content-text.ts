/** The text of a question in which the order of its fields means nothing: a stored question has them in another order. */
export function contentTextOf(question: object): string {
  return JSON.stringify(question, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}
