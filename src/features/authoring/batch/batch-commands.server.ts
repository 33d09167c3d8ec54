import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { toStored, withKeyOf } from '../../questions/questions.ts'
import type { Question } from '../../questions/questions.schema.ts'
import { storeQuestion } from '../drafts/draft-questions-commands.server.ts'
import { findDraftQuestion, getCurrentExam, listDraftQuestions } from '../drafts/drafts-queries.server.ts'
import { judgeEdit, MAX_QUESTIONS } from '../drafts/drafts.ts'
import {
  note,
  openDraft,
  requireDraftForUpdate,
  touchDraft,
  type AdminAction,
} from '../drafts/drafts-commands.server.ts'
import { copy } from './batch.copy.ts'
import { movedBefore, orderedAs, replaceIn, type Wording } from './batch.ts'
import { fail, type Placed, type Replaced } from './batch.schema.ts'

/**
 * Puts questions of a draft in another order and gives the one that stood before.
 * @throws Failure exam.not-found, draft.none, batch.unknown
 */
export async function orderQuestions(
  db: Db,
  order: AdminAction & { examId: string; questionIds: readonly string[]; before?: string | null | undefined },
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { familyId, keys } = await takeKeys(tx, order)
    const { questionIds, before } = order
    if (before !== undefined) checkAll(questionIds, keys)
    const next = before === undefined ? orderedAs(keys, questionIds) : movedBefore(keys, questionIds, before)
    if (next.every((id, place) => id === keys[place])) return keys
    await touchDraft(tx, familyId, order)
    await storeOrder(tx, familyId, next)
    await note(tx, order, 'exam.draft.order', familyId, null, { moved: questionIds.length })
    return keys
  })
}

async function takeKeys(tx: Db, of: { examId: string }): Promise<{ familyId: string; keys: string[] }> {
  const { familyId } = await getCurrentExam(tx, of.examId)
  await requireDraftForUpdate(tx, familyId)
  return { familyId, keys: (await listDraftQuestions(tx, familyId)).map(({ id }) => id) }
}

function checkAll(wanted: readonly string[], keys: readonly string[]) {
  const known = new Set(keys)
  if (wanted.some((id) => !known.has(id))) throw fail('batch.unknown')
}

async function storeOrder(tx: Db, familyId: string, keys: readonly string[]): Promise<void> {
  await sql`
    update exam_draft_questions draft set place = wanted.place
    from unnest(${[...keys]}::text[]) with ordinality as wanted (id, place)
    where draft.family_id = ${familyId} and draft.question_id = wanted.id and draft.place <> wanted.place`.execute(tx)
}

/**
 * Moves or copies questions of a draft to the end of another exam's draft, which is begun when there is none. What is moved
 * keeps its key, so that what learners said of it stays with it; a copy is another question.
 * @throws Failure exam.not-found, draft.none, batch.unknown, batch.key-taken, batch.full, batch.same-exam
 */
export async function sendQuestions(
  db: Db,
  send: AdminAction & { examId: string; questionIds: readonly string[]; toExamId: string; as: 'move' | 'copy' },
): Promise<{ sent: { from: string; to: string }[]; former: string[] }> {
  return db.transaction().execute(async (tx) => {
    const target = await getCurrentExam(tx, send.toExamId)
    const source = await getCurrentExam(tx, send.examId)
    if (send.as === 'move' && target.familyId === source.familyId) throw fail('batch.same-exam')
    // Whoever sends the other way at the same time takes them in the same order.
    for (const { familyId } of [source, target].toSorted((one, other) => (one.familyId < other.familyId ? -1 : 1)))
      if (familyId === target.familyId) await openDraft(tx, { ...send, examId: familyId })
      else await requireDraftForUpdate(tx, familyId)
    const { keys: former } = await takeKeys(tx, send)
    checkAll(send.questionIds, former)
    const there = await listDraftQuestions(tx, target.familyId)
    if (there.length + send.questionIds.length > MAX_QUESTIONS) throw fail('batch.full')
    const taken = new Set(there.map(({ id }) => id))
    if (send.as === 'move' && send.questionIds.some((id) => taken.has(id))) throw fail('batch.key-taken')
    const wanted = new Set(send.questionIds)
    const chosen = (await listDraftQuestions(tx, source.familyId)).filter(({ id }) => wanted.has(id))
    const arriving = send.as === 'move' ? chosen : chosen.map((question) => withKeyOf(question, `q-${randomUUID()}`))
    if (send.as === 'move') await removeAll(tx, source.familyId, send.questionIds)
    await insertAll(
      tx,
      target.familyId,
      arriving.map((question, index) => ({ question, place: there.length + index + 1 })),
      send,
    )
    if (send.as === 'move') await touchDraft(tx, source.familyId, send)
    await touchDraft(tx, target.familyId, send)
    // Places may have gaps after deletions, so the end is made the end.
    await storeOrder(
      tx,
      target.familyId,
      [...there, ...arriving].map(({ id }) => id),
    )
    const about = { questions: chosen.map(({ id }) => id), to: target.familyId }
    await note(tx, send, `exam.draft.${send.as}`, source.familyId, null, about)
    return { sent: chosen.map(({ id }, index) => ({ from: id, to: arriving[index]?.id ?? id })), former }
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
 * Marks questions of a draft for review, or takes the mark off; gives those that it changed.
 * @throws Failure exam.not-found, draft.none, batch.unknown
 */
export async function markQuestions(
  db: Db,
  mark: AdminAction & { examId: string; questionIds: readonly string[]; needsReview: boolean },
): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { familyId, keys } = await takeKeys(tx, mark)
    checkAll(mark.questionIds, keys)
    const wanted = new Set(mark.questionIds)
    const { needsReview } = mark
    const others = (await listDraftQuestions(tx, familyId)).filter(
      (question) => wanted.has(question.id) && question.needsReview !== needsReview,
    )
    if (others.length === 0) return []
    for (const question of others)
      await storeQuestion(tx, { ...mark, familyId, question: { ...question, needsReview } })
    const questions = others.map(({ id }) => id)
    await touchDraft(tx, familyId, mark)
    await note(tx, mark, 'exam.draft.mark', familyId, { needsReview: !needsReview }, { needsReview, questions })
    return questions
  })
}

/**
 * Takes questions out of a draft and gives them away whole, so that they can be put back.
 * @throws Failure exam.not-found, draft.none, batch.unknown
 */
export async function removeQuestions(
  db: Db,
  take: AdminAction & { examId: string; questionIds: readonly string[] },
): Promise<Placed[]> {
  return db.transaction().execute(async (tx) => {
    const { familyId, keys } = await takeKeys(tx, take)
    checkAll(take.questionIds, keys)
    const all = await listDraftQuestions(tx, familyId)
    // Dense places first: what is put back then finds its own again.
    await storeOrder(tx, familyId, keys)
    const wanted = new Set(take.questionIds)
    const taken = all.flatMap((question, index) => (wanted.has(question.id) ? [{ question, place: index + 1 }] : []))
    await removeAll(tx, familyId, take.questionIds)
    await touchDraft(tx, familyId, take)
    await note(
      tx,
      take,
      'exam.draft.take-out',
      familyId,
      { questions: taken.map(({ question }) => toStored(question)) },
      null,
    )
    return taken
  })
}

/**
 * Puts questions back that were taken out, each where it stood. One that is there already is left as it is.
 * @throws Failure exam.not-found, draft.none, batch.full
 */
export async function restoreQuestions(
  db: Db,
  put: AdminAction & { examId: string; questions: readonly Placed[] },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { familyId, keys } = await takeKeys(tx, put)
    const missing = put.questions.filter(({ question }) => !keys.includes(question.id))
    if (missing.length === 0) return
    if (keys.length + missing.length > MAX_QUESTIONS) throw fail('batch.full')
    const accepted = missing.map(({ question, place }) => ({ place, question: accept(question) }))
    const order = [...keys]
    for (const { question, place } of accepted.toSorted((one, other) => one.place - other.place))
      order.splice(Math.max(0, place - 1), 0, question.id)
    await insertAll(tx, familyId, accepted, put)
    await storeOrder(tx, familyId, order)
    await touchDraft(tx, familyId, put)
    await note(tx, put, 'exam.draft.put-back', familyId, null, {
      questions: accepted.map(({ question }) => question.id),
    })
  })
}

/** What comes back passes the gate of the bank like everything else. */
function accept(question: Question): Question {
  const judged = judgeEdit(question, { id: question.id, stored: question })
  if (judged.verdict === 'refused') throw fail('batch.unknown', { fields: judged.problems })
  return judged.question
}

/**
 * Puts other words into the named questions, in the drafts of their exams, which are begun where there are none. A question
 * that would not be one any more stays as it is and is named with the reason.
 * @throws Failure exam.not-found
 */
export async function replaceWords(
  db: Db,
  replace: AdminAction & Wording & { replaceWith: string; targets: readonly { examId: string; questionId: string }[] },
): Promise<Replaced> {
  return db.transaction().execute(async (tx) => {
    const done: Replaced = { changed: [], refused: [] }
    for (const examId of [...new Set(replace.targets.map((target) => target.examId))].toSorted()) {
      const { familyId } = await getCurrentExam(tx, examId)
      await openDraft(tx, { ...replace, examId })
      await requireDraftForUpdate(tx, familyId)
      const before = done.changed.length
      for (const { questionId } of replace.targets.filter((target) => target.examId === examId)) {
        const stored = await findDraftQuestion(tx, { familyId, questionId })
        if (stored === null) {
          done.refused.push({ examId, questionId, sentence: copy['batch.unknown'] })
          continue
        }
        const edit = replaceIn(stored.question, replace, replace.replaceWith)
        const judged = judgeEdit(edit, { id: questionId, stored: stored.question })
        if (judged.verdict === 'refused') {
          done.refused.push({ examId, questionId, sentence: judged.problems[0]?.message ?? '' })
          continue
        }
        const version = await storeQuestion(tx, { ...replace, familyId, question: judged.question })
        done.changed.push({ examId: familyId, version, question: stored.question })
      }
      const count = done.changed.length - before
      if (count === 0) continue
      await touchDraft(tx, familyId, replace)
      const { find, replaceWith } = replace
      await note(tx, replace, 'exam.draft.replace-words', familyId, { find }, { replaceWith, questions: count })
    }
    return done
  })
}

/** Gives questions the words that they had, where nobody has changed them since. @throws Failure exam.not-found, draft.none */
export async function undoReplacing(
  db: Db,
  undo: AdminAction & { changed: Replaced['changed'] },
): Promise<{ restored: number; kept: number }> {
  return db.transaction().execute(async (tx) => {
    let restored = 0
    for (const examId of [...new Set(undo.changed.map((one) => one.examId))].toSorted()) {
      const { familyId } = await getCurrentExam(tx, examId)
      await requireDraftForUpdate(tx, familyId)
      const before = restored
      for (const { question, version } of undo.changed.filter((one) => one.examId === examId)) {
        const stored = await findDraftQuestion(tx, { familyId, questionId: question.id })
        if (stored?.version !== version) continue
        await storeQuestion(tx, { ...undo, familyId, question: accept(question) })
        restored += 1
      }
      if (restored === before) continue
      await touchDraft(tx, familyId, undo)
      await note(tx, undo, 'exam.draft.undo-words', familyId, null, { questions: restored - before })
    }
    return { restored, kept: undo.changed.length - restored }
  })
}
