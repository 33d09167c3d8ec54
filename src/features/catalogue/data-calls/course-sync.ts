import { fill } from '../../../lib/failure.ts'
import { judgeQuestion } from '../../questions/questions.ts'
import { ExamSettings } from '../exam-settings.schema.ts'
import { storedDescription } from '../course-rules.ts'
import { copy } from './course-sync.copy.ts'
import type { AdminCourseView, AdminExamSummary } from '../catalogue.schema.ts'
import type {
  CourseFields,
  DraftFields,
  Edit,
  EditKind,
  ExamFields,
  NewEdit,
  Outbox,
  Stored,
  SyncProblem,
} from './course-sync.schema.ts'

/** Edits are sent this long after the last one. */
export const SYNC_DEBOUNCE_MS = 1500
/** Retries for an unreachable server. The first comes after RETRY_DELAY_MS; each further delay is RETRY_FACTOR times longer. */
export const RETRY_ATTEMPTS = 3
export const RETRY_DELAY_MS = 1000
export const RETRY_FACTOR = 2

/** The delay before a retry, counted from 1; null after the last one. */
export function retryDelay(retry: number): number | null {
  return retry > RETRY_ATTEMPTS ? null : RETRY_DELAY_MS * RETRY_FACTOR ** (retry - 1)
}

/** The result of sending an edit. */
export type Outcome =
  | { readonly kind: 'saved'; readonly version: number | null }
  /** No reply, or one that asks to try later. */
  | { readonly kind: 'unreachable'; readonly isOffline: boolean }
  /** The session has ended, or its user is no longer an admin. */
  | { readonly kind: 'signed-out' }
  /** The admin has to confirm who they are first. */
  | { readonly kind: 'unconfirmed' }
  | SyncProblem

/** The outcomes after which an edit waits to be sent again. */
type Waiting = Extract<Outcome, { kind: 'unreachable' | 'signed-out' | 'unconfirmed' }>
export const isWaiting = (outcome: Outcome): outcome is Waiting =>
  outcome.kind === 'unreachable' || outcome.kind === 'signed-out' || outcome.kind === 'unconfirmed'

export const isPending = (edit: Edit) => edit.saved === null
export const isDeletion = ({ kind }: { readonly kind: EditKind }) => kind === 'course.delete' || kind === 'exam.delete'

/**
 * Adds an edit. It is merged into the last edit if that one is of the same row and not sent yet, so that edits are sent in the
 * order in which they were added.
 */
export function withEdit(outbox: Outbox, fresh: NewEdit, by: Pick<Edit, 'id' | 'by' | 'at'>): Outbox {
  const before = outbox.findLast(({ rowId }) => rowId === fresh.rowId)
  const base = before === undefined ? fresh.base : isPending(before) ? null : (before.saved?.version ?? fresh.base)
  const edit = { ...fresh, ...by, base, isSent: false, syncProblem: null, saved: null } as Edit
  const isLast = before !== undefined && (before === outbox.at(-1) || before.syncProblem !== null)
  const merged = isLast ? merge(before, edit) : null
  return merged === null ? [...outbox, edit] : outbox.flatMap((other) => (other === before ? merged : [other]))
}

/** Merges two edits of a row into one or none; null when the first may be sent already. */
function merge(first: Edit, second: Edit): Edit[] | null {
  if (first.isSent || !isPending(first) || first.by !== second.by) return null
  // The second edit may correct a refused one; a conflict still needs the admin's choice.
  const syncProblem = first.syncProblem?.kind === 'conflict' ? first.syncProblem : null
  const { title } = second
  if (first.kind === 'course.insert' && second.kind === 'course.update')
    return [{ ...first, title, syncProblem, fields: { ...first.fields, ...second.fields } }]
  if (first.kind === 'course.update' && second.kind === 'course.update')
    return [{ ...first, title, syncProblem, whole: second.whole, fields: { ...first.fields, ...second.fields } }]
  if (first.kind === 'exam.insert' && (second.kind === 'exam.draft' || second.kind === 'exam.trial'))
    return [{ ...first, title, syncProblem, fields: { ...first.fields, ...second.fields } }]
  if (first.kind === 'exam.draft' && second.kind === 'exam.draft')
    return [{ ...first, title, syncProblem, fields: { ...first.fields, ...second.fields } }]
  if (first.kind === 'exam.trial' && second.kind === 'exam.trial')
    return [{ ...first, title, syncProblem, fields: second.fields }]
  if (first.kind === 'exam.insert' && second.kind === 'exam.delete') return []
  return null
}

/** The first edit that does not depend on a pending one; null when there is none. */
export function nextToSend(outbox: Outbox, by: string): Edit | null {
  return (
    outbox.find(
      (edit, place) =>
        isPending(edit) &&
        edit.syncProblem === null &&
        edit.by === by &&
        !outbox.slice(0, place).some((earlier) => isPending(earlier) && dependsOn(edit, earlier)),
    ) ?? null
  )
}

/** Whether an edit can only be sent after an earlier one. */
function dependsOn(later: Edit, earlier: Edit): boolean {
  if (earlier.rowId === later.rowId) return true
  if (later.kind === 'course.delete') return earlier.courseId === later.rowId
  return earlier.rowId === later.courseId && (earlier.kind === 'course.insert' || earlier.kind === 'course.delete')
}

export function whenSent(outbox: Outbox, id: string): Outbox {
  return outbox.map((edit) => (edit.id === id ? { ...edit, isSent: true } : edit))
}

/** The outbox after the result of an edit. An edit that the server does not have stays. */
export function afterOutcome(outbox: Outbox, id: string, outcome: Outcome, now: number): Outbox {
  if (isWaiting(outcome)) return outbox
  const edit = outbox.find((one) => one.id === id)
  if (edit === undefined) return outbox
  if (outcome.kind !== 'saved')
    // The server did not apply the edit, so it may be merged again.
    return outbox.map((one) => (one === edit ? { ...edit, isSent: false, syncProblem: outcome } : one))
  const saved = { at: now, version: outcome.version }
  return withBase(
    outbox.map((one) => (one === edit ? { ...edit, saved } : one)),
    edit,
    outcome.version,
  )
}

/** Gives the next edit of the same row the version that this edit produced. */
function withBase(outbox: Outbox, done: Edit, version: number | null): Outbox {
  const next = outbox.find((one) => one.rowId === done.rowId && isPending(one) && one.id !== done.id)
  return next?.base === null ? outbox.map((one) => (one === next ? { ...next, base: version } : one)) : outbox
}

/** Removes the edits that were saved before the server's list was requested, because that list contains them. */
export function withoutSaved(outbox: Outbox, askedAt: number): Outbox {
  const left = outbox.filter(({ saved }) => saved === null || saved.at >= askedAt)
  return left.length === outbox.length ? outbox : left
}

/** Resolves a problem by the admin's choice: send their version over the stored one, or discard it. */
export function whenChosen(outbox: Outbox, id: string, choice: 'mine' | 'theirs'): Outbox {
  const edit = outbox.find((one) => one.id === id)
  if (edit === undefined || edit.syncProblem === null) return outbox
  if (choice === 'theirs') return withoutRow(outbox, edit)
  const stored = edit.syncProblem.kind === 'conflict' ? edit.syncProblem.stored : undefined
  return outbox.map((one) => (one === edit ? onTopOf(edit, stored) : one))
}

function onTopOf(edit: Edit, stored: Stored | null | undefined): Edit {
  const again = { ...edit, isSent: false, syncProblem: null }
  if (stored === undefined) return again
  if (stored !== null)
    return {
      ...again,
      base: stored.version ?? edit.base,
      ...(stored.draftVersion === undefined ? {} : { draftBase: stored.draftVersion }),
    }
  // The course was deleted elsewhere, so it is created again.
  if (again.kind !== 'course.update') return again
  const { whole, ...rest } = again
  return { ...rest, kind: 'course.insert', fields: whole, base: null }
}

/** Discards the pending edits of a row. For a course that does not exist on the server, also those of its exams. */
function withoutRow(outbox: Outbox, dropped: Edit): Outbox {
  const isGone =
    dropped.kind === 'course.insert' ||
    (dropped.syncProblem?.kind === 'conflict' && dropped.syncProblem.stored === null)
  return outbox.filter(
    (one) => !isPending(one) || (one.rowId !== dropped.rowId && !(isGone && one.courseId === dropped.rowId)),
  )
}

/** Undoes a refused deletion. A conflict is left to the admin. */
export function whenDeletionRefused(outbox: Outbox, id: string): Outbox {
  const edit = outbox.find((one) => one.id === id && isDeletion(one) && one.syncProblem?.kind === 'refused')
  if (edit === undefined) return outbox
  return withBase(
    outbox.filter((one) => one !== edit),
    edit,
    edit.base,
  )
}

/** A failed reply of the server. */
type Refusal = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly stored: Stored | null
}

/** The outcome of a failed reply. If the stored row shows that a lost earlier request succeeded, the edit is saved. */
export function outcomeOf(edit: Edit, { status, code, message, stored }: Refusal): Outcome {
  // A proxy or a captive portal may answer anything in place of our server.
  const isUnreachable = status === 0 || status === 429 || status >= 500 || code === 'reply.foreign'
  if (isUnreachable) return { kind: 'unreachable', isOffline: code === 'OFFLINE' }
  if (code === 'confirmation.required') return { kind: 'unconfirmed' }
  if (status === 401 || status === 403) return { kind: 'signed-out' }
  const isMoved = code === 'row.changed-elsewhere' || code === 'draft.moved-on'
  if (isMoved && isAppliedAlready(edit, stored))
    return { kind: 'saved', version: edit.base === null ? null : edit.base + 1 }
  if (isMoved) return { kind: 'conflict', stored }
  if (status === 404) return { kind: 'conflict', stored: null }
  return { kind: 'refused', sentence: message }
}

/** Whether the edit was sent before and the stored row already contains it. */
function isAppliedAlready(edit: Edit, stored: Stored | null): boolean {
  if (stored === null || !edit.isSent) return false
  if (edit.kind === 'course.update' && stored.course !== undefined) return containsFields(stored.course, edit.fields)
  if (edit.kind === 'exam.trial') return stored.exam?.is_free_trial === edit.fields.is_free_trial
  if (edit.kind === 'course.delete')
    return stored.course?.status === 'withdrawn' && stored.version === (edit.base ?? 0) + 1
  return false
}

function containsFields(stored: CourseFields, fields: Partial<CourseFields>): boolean {
  const { title, description, ...rest } = fields
  return (
    (title === undefined || stored.title === title.trim()) &&
    (description === undefined || stored.description === storedDescription(description)) &&
    Object.entries(rest).every(([name, value]) => stored[name as keyof CourseFields] === value)
  )
}

/** The message for an edit that is stored on the device because the server cannot be reached. */
export function storedSentence({ kind }: Edit): string {
  if (kind === 'course.insert') return copy['sync.course.saved']
  if (kind === 'course.delete') return copy['sync.course.deleted']
  return kind === 'exam.insert' ? copy['sync.exam.added'] : copy['sync.course.updated']
}

/** The title and text of the toast for a failed edit. The text is empty when the title contains the reason. */
export function failureToastOf(
  edit: Pick<Edit, 'kind'> & { readonly fields?: object },
  reason: string,
): [string, string] {
  if (edit.kind === 'exam.draft' && edit.fields !== undefined && 'questions' in edit.fields)
    return [fill(copy['exams.replace.failed'], { reason }), '']
  return [failedTitle[edit.kind], reason]
}

const failedTitle = {
  'course.insert': copy['courses.add.failed'],
  'course.update': copy['courses.update.failed'],
  'course.delete': copy['courses.delete.failed'],
  'exam.insert': copy['exams.add.failed'],
  'exam.draft': copy['exams.update.failed'],
  'exam.trial': copy['exams.update.failed'],
  'exam.delete': copy['exams.remove.failed'],
} as const satisfies Record<EditKind, string>

/** The list of courses with the edits of the outbox applied. */
export function withEdits(courses: readonly AdminCourseView[], outbox: Outbox): ShownCourse[] {
  const shown = outbox.reduce<readonly ShownCourse[]>(applyEdit, courses)
  return shown.filter(({ isDeleted }) => isDeleted !== true)
}

export type ShownCourse = AdminCourseView & { readonly isDeleted?: boolean }

function applyEdit(courses: readonly ShownCourse[], edit: Edit): readonly ShownCourse[] {
  if (edit.kind === 'course.insert') {
    if (courses.some(({ id }) => id === edit.rowId)) return courses
    const updatedAt = new Date(edit.at).toISOString()
    const added = { id: edit.rowId, slug: edit.rowId, code: null, rowVersion: 1, updatedAt, exams: [] }
    return [{ ...added, ...toView(edit.fields) }, ...courses]
  }
  return courses.map((course) => (course.id === edit.courseId ? changed(course, edit) : course))
}

function changed(course: ShownCourse, edit: Edit): ShownCourse {
  switch (edit.kind) {
    case 'course.insert':
      return course
    case 'course.update':
      return { ...course, ...toView({ ...edit.whole, ...toFields(course), ...edit.fields }) }
    case 'course.delete':
      return edit.syncProblem === null ? { ...course, isDeleted: true } : course
    case 'exam.insert': {
      if (course.exams.some(({ id }) => id === edit.rowId)) return course
      const { test_name: title, passing_score: passingScore, time_limit: timeLimitMinutes } = edit.fields
      const { is_free_trial: isFreeTrial, questions } = edit.fields
      const added = { id: edit.rowId, slug: edit.rowId, rowVersion: 1, questionCount: questions.length }
      return { ...course, exams: [...course.exams, { ...added, title, passingScore, timeLimitMinutes, isFreeTrial }] }
    }
    case 'exam.delete':
      return edit.syncProblem === null
        ? { ...course, exams: course.exams.filter(({ id }) => id !== edit.rowId) }
        : course
    case 'exam.draft':
    case 'exam.trial':
      return {
        ...course,
        exams: course.exams.map((exam) => (exam.id === edit.rowId ? { ...exam, ...toExamView(edit.fields) } : exam)),
      }
  }
}

/** The editable fields of a listed course. */
export function toFields(course: AdminCourseView): CourseFields {
  const { title, description, priceCents, category, imageUrl, status } = course
  return { title, description, price: priceCents / 100, category, image_url: imageUrl, status }
}

function toView({ title, description, price, category, image_url: imageUrl, status }: CourseFields) {
  const priceCents = Math.round(price * 100)
  return { title: title.trim(), description: storedDescription(description), priceCents, category, imageUrl, status }
}

function toExamView(fields: Partial<ExamFields>) {
  const { test_name, passing_score, time_limit, is_free_trial, questions } = fields
  return {
    ...(test_name === undefined ? {} : { title: test_name }),
    ...(passing_score === undefined ? {} : { passingScore: passing_score }),
    ...(time_limit === undefined ? {} : { timeLimitMinutes: time_limit }),
    ...(is_free_trial === undefined ? {} : { isFreeTrial: is_free_trial }),
    ...(questions === undefined ? {} : { questionCount: questions.length }),
  }
}

/** Requires that the row of an edit is still in the list. @throws Error with the specification's message */
export function requireShown(courses: readonly ShownCourse[], edit: NewEdit): void {
  const course = courses.find(({ id }) => id === edit.courseId)
  if (course === undefined) throw new Error(fill(copy['thrown.course.id'], { id: edit.courseId }))
  const isOfExam = edit.kind.startsWith('exam.') && edit.kind !== 'exam.insert'
  if (!isOfExam || course.exams.some(({ id }) => id === edit.rowId)) return
  throw new Error(copy['thrown.exam.id'].replace('{id}', edit.rowId).replace('{id}', edit.courseId))
}

export const emptyCourse: CourseFields = {
  title: '',
  description: '',
  price: 0,
  category: null,
  image_url: '',
  status: 'draft',
}
export const emptyExam: DraftFields = { test_name: '', passing_score: 70, time_limit: 60, questions: [] }

/** The typed text of an exam's form. */
export type ExamForm = {
  readonly title: string
  readonly minutes: string
  readonly passing: string
  readonly questions: string
}

export function toExamForm(exam: AdminExamSummary | null): ExamForm {
  const { title, timeLimitMinutes, passingScore } = exam ?? { title: '', timeLimitMinutes: 60, passingScore: 70 }
  return { title, minutes: String(timeLimitMinutes), passing: String(passingScore), questions: '' }
}

type ExamProblems = { readonly [Name in keyof ExamForm]: string | null }

/** Validates an exam's form. Questions are judged as in an import. */
export function readExamForm(form: ExamForm): { fields: Partial<DraftFields> | null; problems: ExamProblems } {
  const typed = { title: form.title, timeLimitMinutes: toNumber(form.minutes), passingScore: toNumber(form.passing) }
  const settings = ExamSettings.pick({ title: true, timeLimitMinutes: true, passingScore: true }).safeParse(typed)
  const problemOf = (name: string) => settings.error?.issues.find(({ path }) => path[0] === name)?.message ?? null
  const { questions, problem } = readQuestions(form.questions)
  const problems = {
    title: problemOf('title'),
    minutes: problemOf('timeLimitMinutes'),
    passing: problemOf('passingScore'),
    questions: problem,
  }
  if (!settings.success || problem !== null) return { fields: null, problems }
  const { title: test_name, timeLimitMinutes: time_limit, passingScore: passing_score } = settings.data
  return { fields: { test_name, time_limit, passing_score, ...(questions === null ? {} : { questions }) }, problems }
}

const toNumber = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)

function readQuestions(text: string): { questions: unknown[] | null; problem: string | null } {
  if (text.trim() === '') return { questions: null, problem: null }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { questions: null, problem: copy['exam.questions.json'] }
  }
  if (!Array.isArray(value)) return { questions: null, problem: copy['exam.questions.json'] }
  const refused = value.flatMap((one: unknown, place) => {
    const { question, reasons } = judgeQuestion(one)
    return question === undefined ? [{ number: place + 1, why: reasons[0]?.sentence ?? '' }] : []
  })
  const first = refused[0]
  return { questions: value, problem: first === undefined ? null : fill(copy['exam.questions.refused'], first) }
}
