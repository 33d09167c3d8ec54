/** The questions of an attempt, also of one whose first question has come before the others. */
export function countQuestions(attempt: {
  readonly questions: readonly unknown[]
  readonly questionCount?: number | undefined
}): number {
  return attempt.questionCount ?? attempt.questions.length
}
