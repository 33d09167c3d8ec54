import { createHash } from 'node:crypto'
import type { Db } from '../src/db/open.server.ts'
import { grantAccess } from '../src/features/access/access-commands.server.ts'
import { requireAccess } from '../src/features/access/access-queries.server.ts'
import type { EntitledCourse } from '../src/features/access/access.schema.ts'
import { finishAttempt, startAttempt } from '../src/features/attempts/attempts-commands.server.ts'
import type { SaveAnswer } from '../src/features/attempts/attempts.schema.ts'
import { findExam, type ExamFacts } from '../src/features/catalogue/catalogue-queries.server.ts'
import { blindChance } from '../src/features/questions/types/grading-registry.ts'
import type { Answer, Question } from '../src/features/questions/types/question-types.schema.ts'
import { setPlan } from '../src/features/study/plan/plan-commands.server.ts'
import { bringProgressUpToDate } from '../src/features/study/progress/study-progress-commands.server.ts'
import { LABEL_DIFFICULTY } from '../src/features/study/readiness/readiness.ts'
import { rightChance } from '../src/features/study/readiness/response-model.ts'
import { checkDrillAnswer, finishDrill, startDrill } from '../src/features/study/study-commands.server.ts'
import { listExams } from '../src/features/study/study-exams-queries.server.ts'
import type { DrillFilters } from '../src/features/study/study.schema.ts'
import { addDays, dayIn } from '../src/lib/calendar-day.ts'
import type { CourseId } from '../src/lib/ids.ts'
import { after, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/lib/time.ts'
import type { User } from '../src/lib/user.ts'

const DAYS = 364
/** Days between two timed exams. */
const EXAM_EVERY = 17
const WRITER = 'demo-year'

type Learner = {
  readonly user: User
  readonly courseId: CourseId
  readonly exams: readonly ExamFacts[]
  /** By id; the ids of one course's questions differ. */
  readonly questions: ReadonlyMap<string, Question>
}
type Moment = { readonly day: number; readonly at: Date; readonly proof: EntitledCourse }

/**
 * A year of a learner who starts weak, pauses twice and ends above the passing score: drills some days a week and a timed exam now
 * and then, by the commands that pages call. Equal users answer equally.
 */
export async function simulateYear(db: Db, of: { user: User; courseId: CourseId; now: Date }): Promise<void> {
  const learner = await readCourse(db, of)
  const start = after(of.now, -DAYS * DAY_MS)
  for (let day = 0; day < DAYS; day += 1) {
    const at = after(start, day * DAY_MS - HOUR_MS)
    if (day % 30 === 0) await grantMonth(db, learner, at)
    if (isPause(day)) continue
    const proof = await requireAccess(db, of.user, of.courseId, at)
    if (day % EXAM_EVERY === 4) await takeExam(db, learner, { day, at, proof })
    else if (chanceOf(`study ${day}`) < 0.5) await drill(db, learner, { day, at, proof })
    // Due cards are told from stored progress, which each day extends by its own answers.
    if (day % 7 === 6) await bringProgressUpToDate(db, { userId: of.user.id })
  }
  await grantMonth(db, learner, of.now)
  await bringProgressUpToDate(db, { userId: of.user.id })
  await chooseDate(db, learner, of.now)
}

/** An exam in three weeks, whose date was chosen a month ago. */
async function chooseDate(db: Db, { user, courseId }: Learner, now: Date) {
  const proof = await requireAccess(db, user, courseId, now)
  const wish = {
    examDate: addDays(dayIn(now, 'UTC'), 21),
    timeZone: 'UTC',
    wishedPercent: 80,
    minutesADay: 45,
    restDays: [7],
  }
  await setPlan(db, { proof, wish, now: after(now, -30 * DAY_MS) })
}

async function readCourse(db: Db, { user, courseId }: { user: User; courseId: CourseId }): Promise<Learner> {
  const current = [...(await listExams(db, { courseIds: [courseId], examIds: new Set() })).values()]
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .where('is_current_version', '=', true)
    .where('is_free_trial', '=', false)
    .orderBy('position')
    .select('slug')
    .execute()
  const exams = await Promise.all(rows.map(({ slug }) => findExam(db, slug)))
  return {
    user,
    courseId,
    exams: exams.filter((exam) => exam !== null),
    questions: new Map(current.flatMap(({ questions }) => [...questions])),
  }
}

async function grantMonth(db: Db, { user, courseId }: Learner, now: Date) {
  const of = { userId: user.id, courseId, source: 'grant', orderLineId: null, seatCode: null } as const
  await grantAccess(db, { ...of, now })
}

/** A holiday in summer, and a week without time. */
const isPause = (day: number) => (day > 120 && day < 139) || (day > 246 && day < 254)

async function takeExam(db: Db, learner: Learner, { day, at, proof }: Moment) {
  const exam = learner.exams[Math.floor(day / EXAM_EVERY) % learner.exams.length]
  if (exam === undefined) return
  const taker = { kind: 'person', userId: learner.user.id } as const
  const mode = 'timed'
  const attemptId = await startAttempt(db, { exam, admission: { mode, proof }, taker, now: at })
  const exams = await listExams(db, { courseIds: [learner.courseId], examIds: new Set() })
  const answers = Object.fromEntries(
    [...(exams.get(exam.id)?.questions.values() ?? [])].map((question) => [question.id, savedAnswer(question, day)]),
  )
  const activeMs = Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, answer.activeMs]))
  const now = after(at, (exam.timeLimitMinutes - 4) * MINUTE_MS)
  await finishAttempt(db, { attemptId, taker, writer: WRITER, answers, activeMs, now })
}

function savedAnswer(question: Question, day: number): SaveAnswer {
  const key = `${question.id} ${day}`
  const isSure = chanceOf(`sure ${key}`) < (isKnown(question, day) ? 0.8 : 0.3)
  return {
    answer: answerTo(question, day),
    isFlagged: chanceOf(`flag ${key}`) < 0.06,
    struck: [],
    note: '',
    confidence: chanceOf(`marks ${key}`) < 0.7 ? (isSure ? 'sure' : 'unsure') : null,
    activeMs: Math.round((86 - 30 * (day / DAYS)) * (0.5 + chanceOf(`time ${key}`)) * SECOND_MS),
    seq: 1,
    writer: WRITER,
  }
}

async function drill(db: Db, learner: Learner, { day, at, proof }: Moment) {
  const filters: DrillFilters = {
    from: [],
    lastAttempts: 3,
    domains: [],
    kinds: [],
    count: 6 + Math.floor(12 * chanceOf(`count ${day}`)),
  }
  const { id: drillId, layout } = await startDrill(db, { proof, filters, replaces: undefined, now: at })
  const own = { drillId, userId: learner.user.id }
  for (const [place, { questionId }] of layout.entries()) {
    const question = learner.questions.get(questionId)
    const answer = question === undefined ? null : answerTo(question, day)
    const now = after(at, (place + 1) * 45 * SECOND_MS)
    if (answer !== null) await checkDrillAnswer(db, { ...own, place, answer, now })
  }
  await finishDrill(db, { ...own, now: after(at, HOUR_MS) })
}

/** What the learner answers on a day; nothing to questions that have no options. */
function answerTo(question: Question, day: number): Answer | null {
  if (question.type !== 'choice') return null
  const isRight = isKnown(question, day)
  const right = question.options.filter((option) => option.isRight).map(({ id }) => id)
  const wrong = question.options.filter((option) => !option.isRight).map(({ id }) => id)
  return { type: 'choice', optionIds: isRight ? right : [...right.slice(1), ...wrong.slice(0, 1)] }
}

function isKnown(question: Question, day: number): boolean {
  return chanceOf(`right ${question.id} ${day}`) < rightChanceOn(question, day)
}

/** The learner gains two logits in the year, and knows each domain differently well. */
function rightChanceOn(question: Question, day: number): number {
  const ability = -0.3 + 2.3 * (day / DAYS) ** 0.8 + 1.4 * (chanceOf(`domain ${question.domain}`) - 0.5)
  const difficulty = LABEL_DIFFICULTY[question.difficulty] + 1.2 * (chanceOf(`item ${question.id}`) - 0.5)
  return rightChance(ability - difficulty, blindChance(question))
}

/** A number from 0 to 1 that is always the same for a name. */
function chanceOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32
}
