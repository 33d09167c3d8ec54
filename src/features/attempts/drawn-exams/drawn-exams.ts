import type { Question } from '../../questions/types/question-types.schema.ts'
import { shuffleLayout } from '../attempts.ts'
import type { Layout, QuestionOrigin } from '../attempts.schema.ts'

/** The exams of a drawn exam's questions, each with its place in a fixed order, which tells apart equal ids of two exams. */
export function examPlaces(layout: Layout): Map<string, number> {
  const ids = layout.flatMap(({ from }) => (from === undefined ? [] : [from.examId]))
  return new Map([...new Set(ids)].toSorted().map((examId, place) => [examId, place]))
}

export function drawnCaseStudyId(examPlace: number, caseStudyId: string): string {
  return `e${examPlace}-${caseStudyId}`
}

/** A question under the ids that it has in a drawn exam. */
export function inDrawnExam(
  question: Question,
  { question: id, from }: Layout[number],
  places: ReadonlyMap<string, number>,
): Question {
  const { caseStudy } = question
  const place = places.get(from?.examId ?? '') ?? 0
  return caseStudy === undefined
    ? { ...question, id }
    : { ...question, id, caseStudy: drawnCaseStudyId(place, caseStudy) }
}

/** Where a question of an attempt comes from; null for none of its questions. */
export function originIn(
  attempt: {
    readonly exam: { readonly examId: string; readonly familyId: string } | null
    readonly layout: Layout
  },
  questionId: string,
): QuestionOrigin | null {
  const entry = attempt.layout.find(({ question }) => question === questionId)
  if (entry === undefined) return null
  return entry.from ?? (attempt.exam === null ? null : { ...attempt.exam, questionId })
}

/** A question that was drawn, and where it comes from. */
export type DrawnQuestion = { readonly from: QuestionOrigin; readonly question: Question }

/** The layout of a drawn exam: shuffled as a timed exam is, case studies whole and in their order. */
export function drawnLayout(seed: number, drawn: readonly DrawnQuestion[]): Layout {
  const byId = new Map(drawn.map((one, place) => [`q${place + 1}`, one]))
  const entries = [...byId].map(([id, { from }]) => ({ id, examId: from.examId }))
  const places = new Map([...new Set(entries.map(({ examId }) => examId))].toSorted().map((id, place) => [id, place]))
  const questions = [...byId].map(([id, { from, question }]): Question => {
    const { caseStudy } = question
    const named = { ...question, id }
    return caseStudy === undefined
      ? named
      : { ...named, caseStudy: drawnCaseStudyId(places.get(from.examId) ?? 0, caseStudy) }
  })
  return shuffleLayout(seed, questions, 'timed').flatMap((entry) => {
    const from = byId.get(entry.question)?.from
    return from === undefined ? [] : [{ ...entry, from }]
  })
}
