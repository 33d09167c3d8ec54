/** Whether an exam has the number of questions and the minutes of the real one. */
export function isLikeRealExam(
  exam: { readonly questionCount: number; readonly timeLimitMinutes: number },
  blueprint: { readonly questions: number; readonly minutes: number } | null,
): boolean {
  return blueprint !== null && exam.questionCount === blueprint.questions && exam.timeLimitMinutes === blueprint.minutes
}

const AUDIENCE = /^Who it is for:\s*/
const BEFORE = /^What to know before:\s*/

/**
 * The parts of a description: paragraphs that begin with 'Who it is for:' or 'What to know before:' answer these questions, all
 * others say what the course is.
 */
export function splitDescription(description: string) {
  const paragraphs = description.split(/\n\s*\n/).map((text) => text.trim())
  const find = (mark: RegExp) =>
    paragraphs
      .find((text) => mark.test(text))
      ?.replace(mark, '')
      .replace(/^./u, (first) => first.toUpperCase()) ?? null
  return {
    about: paragraphs.filter((text) => text !== '' && !AUDIENCE.test(text) && !BEFORE.test(text)),
    audience: find(AUDIENCE),
    before: find(BEFORE),
  }
}
