import type { PostedFields } from '../../questions/types/type-grading.ts'
import type { AnswerState } from '../attempts.schema.ts'

/** The names of the fields that every form of an exam has, besides those of the question's type. */
export const EXAM_FIELDS = {
  attempt: 'attempt',
  question: 'question',
  writer: 'writer',
  seq: 'seq',
  act: 'do',
} as const

const ACTS = [
  'start',
  'save',
  'previous',
  'next',
  'flag',
  'sure',
  'unsure',
  'check',
  'finish',
  'back',
  'submit',
  'take-over',
] as const
type NamedAct = (typeof ACTS)[number]
/** What a button of the form asks for. */
export type ExamAct = { readonly kind: NamedAct } | { readonly kind: 'go'; readonly place: number }

/** The value of the button that asks for an act. */
export function actValue(act: ExamAct): string {
  return act.kind === 'go' ? `go ${act.place}` : act.kind
}

/** A form of an exam as it was posted. Nothing of it is trusted yet. */
export type ExamPost = {
  readonly act: ExamAct
  readonly attemptId: string
  readonly questionId: string
  readonly writer: string
  readonly seq: number
  readonly fields: PostedFields
}

export function readPost(fields: PostedFields & { get(name: string): string | null }): ExamPost {
  const seq = Number(fields.get(EXAM_FIELDS.seq))
  return {
    act: readAct(fields.get(EXAM_FIELDS.act) ?? 'start'),
    attemptId: fields.get(EXAM_FIELDS.attempt) ?? '',
    questionId: fields.get(EXAM_FIELDS.question) ?? '',
    writer: fields.get(EXAM_FIELDS.writer) ?? '',
    seq: Number.isSafeInteger(seq) && seq > 0 ? seq : 0,
    fields,
  }
}

/** An unknown act only saves. */
function readAct(value: string): ExamAct {
  const place = /^go (\d{1,6})$/.exec(value)?.[1]
  if (place !== undefined) return { kind: 'go', place: Number(place) }
  return { kind: ACTS.find((act) => act === value) ?? 'save' }
}

/** The number of the next change to an attempt. */
export function nextSeq(answers: Readonly<Record<string, AnswerState>>): number {
  return 1 + Math.max(0, ...Object.values(answers).map(({ seq }) => seq))
}

/** The place to show after an act. */
export function placeAfter(act: ExamAct, place: number, questionCount: number): number {
  const wanted = act.kind === 'next' ? place + 1 : act.kind === 'previous' ? place - 1 : placeOf(act, place)
  return Math.min(Math.max(0, wanted), questionCount - 1)
}

const placeOf = (act: ExamAct, place: number) => (act.kind === 'go' ? act.place : place)
