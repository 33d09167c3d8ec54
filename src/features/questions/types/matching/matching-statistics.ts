import type { AnswerCount, TypeStatistics } from '../type-statistics.ts'
import { copy } from './matching-edit.copy.ts'
import { optionFor, rightTextOf } from './matching-grading.ts'
import type { MatchingAnswer, MatchingQuestion } from './matching.schema.ts'

export const matchingStatistics: TypeStatistics<'matching'> = {
  /** For each prompt how many learners chose its right option, and below it the wrong option that most of them chose. */
  countParts: (question, given) =>
    question.prompts.flatMap((prompt) => {
      const counts = countsFor(prompt.id, given)
      const wrong = mostChosen(question, prompt, counts)
      return [
        {
          id: prompt.id,
          text: `${prompt.text} → ${rightTextOf(question, prompt)}`,
          isRight: true,
          count: counts.get(prompt.optionId) ?? 0,
        },
        ...(wrong === null
          ? []
          : [
              {
                id: `${prompt.id}>${wrong.id}`,
                text: `${prompt.text} → ${wrong.text}`,
                isRight: false,
                count: wrong.count,
              },
            ]),
      ]
    }),

  /** A prompt for which more learners chose one wrong option than the right one; that option stands below it. */
  isKeyDoubtful: (parts) =>
    parts.some(({ isRight, count }, place) => !isRight && count > (parts[place - 1]?.count ?? 0)),

  labels: {
    parts: copy['statistics.pairs'],
    partsOfQuestion: copy['statistics.pairs.of'],
    right: copy['statistics.right'],
  },
}

function countsFor(promptId: string, given: readonly AnswerCount<MatchingAnswer>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { answer, count } of given) {
    const optionId = optionFor(answer.pairs, promptId)
    if (optionId !== undefined) counts.set(optionId, (counts.get(optionId) ?? 0) + count)
  }
  return counts
}

function mostChosen(
  { options }: MatchingQuestion,
  { optionId }: { readonly optionId: string },
  counts: ReadonlyMap<string, number>,
): { id: string; text: string; count: number } | null {
  const wrong = options
    .filter(({ id }) => id !== optionId && counts.has(id))
    .map(({ id, text }) => ({ id, text, count: counts.get(id) ?? 0 }))
  return wrong.toSorted((one, other) => other.count - one.count)[0] ?? null
}
