import { toStored, withKeyOf } from '../../questions/types/content-registry.ts'
import { editOf } from '../../questions/types/edit-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { storeQuestion } from '../drafts/draft-questions-commands.server.ts'
import { getCurrentExam, listDraftCaseStudies, listDraftQuestions } from '../drafts/drafts-queries.server.ts'
import { judgeCaseStudies } from '../../questions/case-studies/case-studies.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { judgeEdit, MAX_QUESTIONS } from '../drafts/drafts.ts'
import {
  auditExam,
  openDraft,
  requireDraftForUpdate,
  touchDraft,
  type AdminAction,
} from '../drafts/drafts-commands.server.ts'
import { fill } from '../../../lib/failure.ts'
import { copy } from './batch.copy.ts'
import { movedBefore, orderedAs } from './batch.ts'
import { fail, type LeftCaseStudy, type Placed } from './batch.schema.ts'

/**
 * Orders the questions of a draft and returns the former order.
 * @throws Failure exam.not-found, draft.none, batch.unknown, batch.case-study
 */
export async function orderQuestions(
  db: Db,
  order: AdminAction & { examId: string; questionIds: readonly string[]; before?: string | null | undefined },
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { familyId, keys } = await getKeysForUpdate(tx, order)
    const { questionIds, before } = order
    if (before !== undefined) requireKnown(questionIds, keys)
    const next = before === undefined ? orderedAs(keys, questionIds) : movedBefore(keys, questionIds, before)
    if (next.every((id, place) => id === keys[place])) return keys
    await refuseTornCaseStudies(tx, familyId, next)
    await touchDraft(tx, familyId, order)
    await storeOrder(tx, familyId, next)
    await auditExam(tx, order, 'exam.draft.order', familyId, null, { moved: questionIds.length })
    return keys
  })
}

/** @throws Failure batch.case-study if the order takes a case study apart that was together */
async function refuseTornCaseStudies(tx: Db, familyId: string, next: readonly string[]): Promise<void> {
  const questions = await listDraftQuestions(tx, familyId)
  const byId = new Map(questions.map((question) => [question.id, question]))
  const caseStudies = await listDraftCaseStudies(tx, familyId)
  const tornIn = (list: readonly Question[]) =>
    judgeCaseStudies(caseStudies, list).filter(({ code }) => code === 'case-study-apart')
  const before = new Set(tornIn(questions).map(({ caseStudyId }) => caseStudyId))
  const torn = tornIn(next.flatMap((id) => byId.get(id) ?? [])).find(({ caseStudyId }) => !before.has(caseStudyId))
  if (torn !== undefined)
    throw fail('batch.case-study', { sentence: fill(copy['batch.case-study'], { title: torn.about }) })
}

async function getKeysForUpdate(tx: Db, of: { examId: string }): Promise<{ familyId: string; keys: string[] }> {
  const { familyId } = await getCurrentExam(tx, of.examId)
  await requireDraftForUpdate(tx, familyId)
  return { familyId, keys: (await listDraftQuestions(tx, familyId)).map(({ id }) => id) }
}

function requireKnown(ids: readonly string[], keys: readonly string[]) {
  const known = new Set(keys)
  if (ids.some((id) => !known.has(id))) throw fail('batch.unknown')
}

async function storeOrder(tx: Db, familyId: string, keys: readonly string[]): Promise<void> {
  await sql`
    update exam_draft_questions draft set place = target.place
    from unnest(${[...keys]}::text[]) with ordinality as target (id, place)
    where draft.family_id = ${familyId} and draft.question_id = target.id and draft.place <> target.place`.execute(tx)
}

/**
 * Moves or copies questions of a draft to the end of another exam's draft, which is begun if there is none. A moved question
 * keeps its key and with it the learners' answers and reports; a copy is a new question.
 * @throws Failure exam.not-found, draft.none, batch.unknown, batch.key-taken, batch.full, batch.same-exam
 */
export async function sendQuestions(
  db: Db,
  send: AdminAction & {
    examId: string
    questionIds: readonly string[]
    toExamId: string
    as: 'move' | 'copy'
    join?: Readonly<Record<string, string>> | undefined
  },
): Promise<{ sent: { from: string; to: string }[]; left: LeftCaseStudy[]; former: string[] }> {
  return db.transaction().execute(async (tx) => {
    const target = await getCurrentExam(tx, send.toExamId)
    const source = await getCurrentExam(tx, send.examId)
    if (send.as === 'move' && target.familyId === source.familyId) throw fail('batch.same-exam')
    // Locks in a fixed order, so that a simultaneous move in the other direction does not deadlock.
    for (const { familyId } of [source, target].toSorted((one, other) => (one.familyId < other.familyId ? -1 : 1)))
      if (familyId === target.familyId) await openDraft(tx, { ...send, examId: familyId })
      else await requireDraftForUpdate(tx, familyId)
    const { keys: former } = await getKeysForUpdate(tx, send)
    requireKnown(send.questionIds, former)
    const existing = await listDraftQuestions(tx, target.familyId)
    if (existing.length + send.questionIds.length > MAX_QUESTIONS) throw fail('batch.full')
    const taken = new Set(existing.map(({ id }) => id))
    if (send.as === 'move' && send.questionIds.some((id) => taken.has(id))) throw fail('batch.key-taken')
    const ids = new Set(send.questionIds)
    const chosen = (await listDraftQuestions(tx, source.familyId)).filter(({ id }) => ids.has(id))
    // A copy in its own exam would make its case study one question longer.
    const known = target.familyId === source.familyId ? [] : await listDraftCaseStudies(tx, target.familyId)
    const kept = chosen.map((question) => withoutForeignCaseStudy(joined(question, send.join), known))
    const arriving = send.as === 'move' ? kept : kept.map((question) => withKeyOf(question, `q-${randomUUID()}`))
    if (send.as === 'move') await removeAll(tx, source.familyId, send.questionIds)
    await insertAll(
      tx,
      target.familyId,
      arriving.map((question, index) => ({ question, place: existing.length + index + 1 })),
      send,
    )
    if (send.as === 'move') await touchDraft(tx, source.familyId, send)
    await touchDraft(tx, target.familyId, send)
    // Places may have gaps after deletions, so they are renumbered.
    await storeOrder(
      tx,
      target.familyId,
      [...existing, ...arriving].map(({ id }) => id),
    )
    const left = leftCaseStudies(chosen, arriving, await listDraftCaseStudies(tx, source.familyId))
    const about = { questions: chosen.map(({ id }) => id), to: target.familyId, ...(left.length > 0 && { left }) }
    await auditExam(tx, send, `exam.draft.${send.as}`, source.familyId, null, about)
    return { sent: chosen.map(({ id }, index) => ({ from: id, to: arriving[index]?.id ?? id })), left, former }
  })
}

/** The question by itself if its case study is not among those that its new exam has. */
function withoutForeignCaseStudy(question: Question, known: readonly CaseStudy[]): Question {
  const { caseStudy, ...others } = question
  return caseStudy === undefined || known.some(({ id }) => id === caseStudy) ? question : others
}

/** The question in the case study that it joins. */
function joined(question: Question, join: Readonly<Record<string, string>> = {}): Question {
  const caseStudy = join[question.id]
  return caseStudy === undefined ? question : { ...question, caseStudy }
}

/** The questions that arrive without the case study that they had. */
function leftCaseStudies(
  chosen: readonly Question[],
  arriving: readonly Question[],
  caseStudies: readonly CaseStudy[],
): LeftCaseStudy[] {
  return chosen.flatMap(({ caseStudy }, place) => {
    const arrived = arriving[place]
    if (caseStudy === undefined || arrived === undefined || arrived.caseStudy !== undefined) return []
    const title = caseStudies.find(({ id }) => id === caseStudy)?.title ?? caseStudy
    return [{ questionId: arrived.id, caseStudyId: caseStudy, title }]
  })
}

async function removeAll(tx: Db, familyId: string, questionIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('exam_draft_questions')
    .where('family_id', '=', familyId)
    .where('question_id', 'in', questionIds)
    .execute()
}

async function insertAll(tx: Db, familyId: string, placed: readonly Placed[], by: AdminAction): Promise<void> {
  const rows = placed.map(({ question, place }) => ({
    family_id: familyId,
    question_id: question.id,
    place,
    question: JSON.stringify(toStored(question)),
    updated_at: by.now,
    updated_by: by.actorId,
  }))
  await tx.insertInto('exam_draft_questions').values(rows).execute()
}

/**
 * Marks questions of a draft for review, or unmarks them; returns the ids that it changed.
 * @throws Failure exam.not-found, draft.none, batch.unknown
 */
export async function markQuestions(
  db: Db,
  mark: AdminAction & { examId: string; questionIds: readonly string[]; needsReview: boolean },
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { familyId, keys } = await getKeysForUpdate(tx, mark)
    requireKnown(mark.questionIds, keys)
    const ids = new Set(mark.questionIds)
    const { needsReview } = mark
    const others = (await listDraftQuestions(tx, familyId)).filter(
      (question) => ids.has(question.id) && question.needsReview !== needsReview,
    )
    if (others.length === 0) return []
    for (const question of others)
      await storeQuestion(tx, { ...mark, familyId, question: { ...question, needsReview } })
    const questions = others.map(({ id }) => id)
    await touchDraft(tx, familyId, mark)
    await auditExam(tx, mark, 'exam.draft.mark', familyId, { needsReview: !needsReview }, { needsReview, questions })
    return questions
  })
}

/**
 * Removes questions from a draft and returns them whole, so that they can be restored.
 * @throws Failure exam.not-found, draft.none, batch.unknown
 */
export async function removeQuestions(
  db: Db,
  remove: AdminAction & { examId: string; questionIds: readonly string[] },
): Promise<Placed[]> {
  return db.transaction().execute(async (tx) => {
    const { familyId, keys } = await getKeysForUpdate(tx, remove)
    requireKnown(remove.questionIds, keys)
    const all = await listDraftQuestions(tx, familyId)
    // Renumber first, so that a restored question finds its former place.
    await storeOrder(tx, familyId, keys)
    const ids = new Set(remove.questionIds)
    const taken = all.flatMap((question, index) => (ids.has(question.id) ? [{ question, place: index + 1 }] : []))
    await removeAll(tx, familyId, remove.questionIds)
    await touchDraft(tx, familyId, remove)
    await auditExam(
      tx,
      remove,
      'exam.draft.take-out',
      familyId,
      { questions: taken.map(({ question }) => toStored(question)) },
      null,
    )
    return taken
  })
}

/**
 * Restores removed questions, each at its former place. A question that exists stays as it is.
 * @throws Failure exam.not-found, draft.none, batch.full
 */
export async function restoreQuestions(
  db: Db,
  restore: AdminAction & { examId: string; questions: readonly Placed[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { familyId, keys } = await getKeysForUpdate(tx, restore)
    // Of a question that is sent twice, the first counts.
    const sent = new Map(restore.questions.toReversed().map((placed) => [placed.question.id, placed]))
    const missing = [...sent.values()].filter(({ question }) => !keys.includes(question.id))
    if (missing.length === 0) return
    if (keys.length + missing.length > MAX_QUESTIONS) throw fail('batch.full')
    const accepted = missing.map(({ question, place }) => ({ place, question: acceptRestored(question) }))
    const order = [...keys]
    for (const { question, place } of accepted.toSorted((one, other) => one.place - other.place))
      order.splice(Math.max(0, place - 1), 0, question.id)
    await insertAll(tx, familyId, accepted, restore)
    await storeOrder(tx, familyId, order)
    await touchDraft(tx, familyId, restore)
    await auditExam(tx, restore, 'exam.draft.put-back', familyId, null, {
      questions: accepted.map(({ question }) => question.id),
    })
  })
}

/** A restored question is validated like every other. */
export function acceptRestored(question: Question): Question {
  const judged = judgeEdit(editOf(question), { id: question.id, stored: question })
  if (judged.verdict === 'refused') throw fail('batch.unknown', { fields: judged.problems })
  return judged.question
}
