import { randomUUID } from 'node:crypto'
import { redirect, type ActionFunctionArgs } from 'react-router'
import { Failure } from '../../../lib/failure.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import { paths } from '../../../lib/paths.ts'
import { callsOf } from '../../../platform/http/page-action.server.ts'
import type { RequestContext } from '../../../platform/http/request-context.server.ts'
import { readCookie } from '../../../platform/http/signed-cookie.server.ts'
import { answerFromFields, isSameAnswer } from '../../questions/types/grading-registry.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import { requireQuestions, takerOf } from '../attempt-access-queries.server.ts'
import { checkAnswer, claimAttempt, finishAttempt, takeOver } from '../attempts-commands.server.ts'
import type { attemptsApi } from '../attempts-endpoints.server.ts'
import { getAttemptView, getOwnAttempt, type AttemptRecord } from '../attempts-queries.server.ts'
import { copy } from '../attempts.copy.ts'
import {
  AttemptPath,
  Writer,
  type AnswerState,
  type AttemptView,
  type Mode,
  type SaveAnswer,
} from '../attempts.schema.ts'
import { mayWrite } from '../attempts.ts'
import { settleAttempt } from '../close-attempts-commands.server.ts'
import { blank } from '../saving/answer-queue.ts'
import { saveAnswer } from '../saving/save-answer-commands.server.ts'
import { nextSeq, placeAfter, type ExamPost } from './posted-exam.ts'
import { readShownExam, SHOWN_EXAM_COOKIE, shownExamCookie } from './shown-exam.ts'

const run = callsOf<typeof attemptsApi>()

/** The name of a page whose forms are posted without scripts. */
export const newFormWriter = () => `form-${randomUUID()}`

/** What the page shows after one of its forms was posted. */
export type ExamPostReply = {
  /** Null where the exam has just been started or resumed, and this browser showed no question of it before. */
  readonly place: number | null
  readonly shows: 'question' | 'finish'
  /** Why the form changed nothing. */
  readonly sentence: string | null
  /** Another page is the writer: the form offers to take the attempt over. */
  readonly isElsewhere: boolean
  /** The posted answer that was not saved, so that it is not lost. */
  readonly unsaved: Answer | null
  /** The name under which the forms of the page write; null where another page does. */
  readonly formWriter: string | null
}

const shown: Omit<ExamPostReply, 'place' | 'formWriter'> = {
  shows: 'question',
  sentence: null,
  isElsewhere: false,
  unsaved: null,
}

/** @throws Failure as the start of an attempt does */
export async function startByForm(
  page: ActionFunctionArgs['context'],
  start: { examSlug: string; mode: Mode },
): Promise<ExamPostReply> {
  const context = page.request
  const writer = newFormWriter()
  const attempt = await run(page, 'POST', '/api/attempts', { body: { ...start, writer } })
  const before = readShownExam(readCookie(context.request.headers.get('cookie'), SHOWN_EXAM_COOKIE))
  const isShown = before !== null && before.attemptId === attempt.id
  const isOwn = attempt.writer === writer || (isShown && before.writer === attempt.writer)
  const place = isShown && before.place < attempt.questions.length ? before.place : null
  if (isOwn) remember(context, attempt.id, place ?? 0, attempt.writer ?? writer)
  return { ...shown, place, isElsewhere: !isOwn, formWriter: isOwn ? attempt.writer : null }
}

/**
 * Takes a form of a running exam, which holds attempt, writer and next number as the server issued them. Only the newest form
 * changes anything; an older one gets the question as it is now, and a sentence. A form that is posted twice counts once.
 */
export async function answerExamPost(
  context: RequestContext,
  { found, post }: { found: AttemptRecord | null; post: ExamPost },
): Promise<ExamPostReply> {
  const { db } = context
  const now = context.clock.now()
  const open = found === null ? null : await settleAttempt(db, found, now)
  if (open === null || open.id !== post.attemptId || open.state === 'finished') {
    await leaveFinished(context, post.attemptId)
    return { ...shown, place: null, sentence: copy['form.stale'], formWriter: null }
  }
  await requireQuestions(context, open)
  const view = await getAttemptView(db, open, now)
  if (view.clock.remainingSeconds === 0) return submit(context, open, post)
  const place = Math.max(
    0,
    view.questions.findIndex(({ id }) => id === post.questionId),
  )
  if (post.act.kind === 'take-over') return takeOverByForm(context, { open, view, place, post })
  if (!Writer.safeParse(post.writer).success || !mayWrite(open, post.writer)) {
    const sentence = copy['form.elsewhere']
    return { ...shown, place, sentence, isElsewhere: true, unsaved: postedAnswer(view, place, post), formWriter: null }
  }
  await claimAttempt(db, open, post.writer)
  return change(context, { open, view, place, post })
}

type Posted = { open: AttemptRecord; view: AttemptView; place: number; post: ExamPost }

/** Saves what the form changed, then does what its button asked for. */
async function change(context: RequestContext, posted: Posted): Promise<ExamPostReply> {
  const { open, view, post } = posted
  const kept = { ...shown, place: posted.place, formWriter: post.writer }
  const before = answerAt(view, posted.place)
  const next = nextSeq(view.answers)
  const isLast = post.seq === next - 1 && before.seq === post.seq
  const isRepeated = isLast && (before.isChecked || isSameAnswer(postedAnswer(view, posted.place, post), before.answer))
  if (post.seq !== next && !isRepeated) {
    remember(context, open.id, posted.place, post.writer)
    return { ...kept, sentence: copy['form.stale'] }
  }
  const write = isRepeated ? null : changeOf(view, posted.place, post)
  try {
    if (post.act.kind === 'check') {
      if ((write ?? before).answer === null) return { ...kept, sentence: copy['form.nothing-chosen'] }
      await check(context, posted, write)
    } else if (write !== null) await save(context, posted, write)
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('attempt.')) throw error
    await leaveFinished(context, open.id)
    return { ...kept, sentence: error.message }
  }
  if (post.act.kind === 'submit') return submit(context, open, post)
  const place = placeAfter(post.act, posted.place, view.questions.length)
  remember(context, open.id, place, post.writer)
  return { ...kept, place, shows: post.act.kind === 'finish' ? 'finish' : 'question' }
}

async function save(context: RequestContext, { open, view, place }: Posted, write: SaveAnswer) {
  const questionId = view.questions[place]?.id ?? ''
  const taker = takerOf(context)
  await saveAnswer(context.db, { attemptId: open.id, questionId, taker, answer: write, now: context.clock.now() })
}

async function check(context: RequestContext, { open, view, place, post }: Posted, write: SaveAnswer | null) {
  await checkAnswer(context.db, {
    attemptId: open.id,
    questionId: view.questions[place]?.id ?? '',
    taker: takerOf(context),
    writer: post.writer,
    answer: write,
    now: context.clock.now(),
  })
}

function answerAt(view: AttemptView, place: number): AnswerState {
  return view.answers[view.questions[place]?.id ?? ''] ?? blank
}

function postedAnswer(view: AttemptView, place: number, { fields }: ExamPost): Answer | null {
  const question = view.questions[place]
  return question === undefined ? null : answerFromFields(question, fields)
}

/** The write for what a form changed; null if it changed nothing. A checked answer is final, and its form has no fields. */
function changeOf(view: AttemptView, place: number, post: ExamPost): SaveAnswer | null {
  const { isChecked, seq: _before, ...before } = answerAt(view, place)
  const { kind } = post.act
  const isAsked = kind !== 'submit' && kind !== 'back'
  const answer = isChecked || !isAsked ? before.answer : postedAnswer(view, place, post)
  const isFlagged = kind === 'flag' ? !before.isFlagged : before.isFlagged
  const asked = kind === 'sure' || kind === 'unsure' ? kind : null
  const confidence = asked === null ? before.confidence : asked === before.confidence ? null : asked
  const isSame = isSameAnswer(answer, before.answer) && isFlagged === before.isFlagged
  if (isSame && confidence === before.confidence) return null
  return { ...before, answer, isFlagged, confidence, seq: post.seq, writer: post.writer }
}

/** Makes this page the writer and saves its answer, if no other was saved since its form was made. */
async function takeOverByForm(context: RequestContext, posted: Posted): Promise<ExamPostReply> {
  const { open, view, post } = posted
  const writer = newFormWriter()
  await takeOver(context.db, { attemptId: open.id, taker: takerOf(context), writer, now: context.clock.now() })
  const own = { ...posted, post: { ...post, writer } }
  if (post.seq === nextSeq(view.answers)) return change(context, own)
  remember(context, open.id, posted.place, writer)
  return { ...shown, place: posted.place, formWriter: writer }
}

async function submit(context: RequestContext, open: AttemptRecord, post: ExamPost): Promise<never> {
  const taker = takerOf(context)
  const now = context.clock.now()
  await finishAttempt(context.db, { attemptId: open.id, taker, writer: post.writer, answers: {}, activeMs: {}, now })
  throw toResult(context, open.id)
}

/** Leads from the form of an exam that is over to its result, and from one whose session has ended to the sign-in. */
async function leaveFinished(context: RequestContext, attemptId: string): Promise<void> {
  if (!AttemptPath.safeParse({ attemptId }).success) return
  try {
    const own = await getOwnAttempt(context.db, attemptId, takerOf(context))
    const attempt = await settleAttempt(context.db, own, context.clock.now())
    if (attempt.state === 'finished') throw toResult(context, attempt.id)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { pathname } = new URL(context.request.url)
    if (error.code === 'attempt.signed-out')
      throw redirect(`${paths.login}?redirect=${encodeURIComponent(pathname)}`, 303)
  }
}

/** A guest's result is at the exam's own address. */
function toResult({ user }: RequestContext, attemptId: AttemptId): Response {
  return redirect(user === null ? `?attempt=${attemptId}` : paths.examReview(attemptId), 303)
}

function remember({ replyHeaders, appUrl }: RequestContext, attemptId: string, place: number, writer: string): void {
  replyHeaders.append('set-cookie', shownExamCookie({ attemptId, place, writer }, appUrl.startsWith('https:')))
}
