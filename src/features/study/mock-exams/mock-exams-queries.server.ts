import { createHash } from 'node:crypto'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import { getCourseCalibration } from '../../attempts/calibrations/item-calibrations-queries.server.ts'
import {
  countDrawn,
  findOpenDrawn,
  listDrawnLately,
  listFinishedDrawn,
  listFinishedExams,
} from '../../attempts/drawn-exams/drawn-exams-queries.server.ts'
import { findExtraTime } from '../../attempts/attempts-queries.server.ts'
import type { DrawnKind } from '../../attempts/attempts.schema.ts'
import { ScoringPolicy } from '../../questions/types/question-base.schema.ts'
import { Blueprint } from '../../questions/questions.schema.ts'
import { getStudy, summaryOf } from '../study-queries.server.ts'
import { keyOf } from '../study.ts'
import { drawForm, type Form } from './draw-form.ts'
import { bankOf, factsOf, fullLength, LATE_EXAMS, minutesFor, weightsIn, type BankEntry } from './mock-exams.ts'

type Learner = { readonly userId: UserId; readonly courseId: CourseId; readonly now: Date }

/** The bank of a course for a learner, with what a drawn exam takes from the course. Answer keys are among it. */
export type MockBank = {
  readonly entries: readonly BankEntry[]
  readonly blueprint: Blueprint | null
  readonly full: { readonly questions: number; readonly minutes: number }
  readonly passingScore: number
  readonly scoringPolicy: ScoringPolicy
}

export async function getMockBank(db: Db, of: Learner): Promise<MockBank> {
  const [study, calibration, exams, blueprint, drawnLately, finishedExams] = await Promise.all([
    getStudy(db, of),
    getCourseCalibration(db, of.courseId),
    listPracticeExams(db, of.courseId),
    getBlueprint(db, of.courseId),
    listDrawnLately(db, { ...of, exams: LATE_EXAMS }),
    listFinishedExams(db, of),
  ])
  const entries = bankOf(study.questions, summaryOf(study, calibration).items, {
    drawnLately: new Set(drawnLately.map(keyOf)),
    finishedExams,
  })
  return {
    entries,
    blueprint,
    full: fullLength(blueprint, exams),
    passingScore: study.passingScore,
    scoringPolicy: exams.some(({ scoringPolicy }) => scoringPolicy === 'partial') ? 'partial' : 'all-or-nothing',
  }
}

async function getBlueprint(db: Db, courseId: CourseId): Promise<Blueprint | null> {
  const row = await db.selectFrom('courses').where('id', '=', courseId).select('blueprint').executeTakeFirstOrThrow()
  return Blueprint.safeParse(row.blueprint).data ?? null
}

async function listPracticeExams(db: Db, courseId: CourseId) {
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', '=', courseId)
    .where('is_current_version', '=', true)
    .orderBy('position')
    .orderBy('id')
    .select(['question_count', 'time_limit', 'is_free_trial', 'scoring_policy'])
    .execute()
  return rows.map((row) => ({
    questionCount: row.question_count,
    timeLimitMinutes: row.time_limit,
    isFreeTrial: row.is_free_trial,
    scoringPolicy: ScoringPolicy.parse(row.scoring_policy),
  }))
}

/** The seed of the exam of this number: the page tells of the form that a start will draw. */
export function seedOf(
  of: { readonly userId: string; readonly courseId: string },
  kind: DrawnKind,
  number: number,
): number {
  const digest = createHash('sha256').update(`${of.userId} ${of.courseId} ${kind} ${number}`).digest()
  return digest.readUInt32BE(0) >>> 1
}

/** The next full-length form from the bank. */
export function drawMock({ entries, blueprint, full }: MockBank, seed: number): Form<BankEntry> {
  return drawForm(entries, { size: full.questions, weights: weightsIn(entries, entries, blueprint), seed })
}

/** What the page of drawn exams shows. It names no question. */
export async function getMockPage(db: Db, of: Learner) {
  const [bank, drawnCount, openMock, openCustom, finished, extraTime] = await Promise.all([
    getMockBank(db, of),
    countDrawn(db, { ...of, kind: 'mock' }),
    findOpenDrawn(db, { ...of, kind: 'mock' }),
    findOpenDrawn(db, { ...of, kind: 'custom' }),
    listFinishedDrawn(db, { ...of, limit: SHOWN_EXAMS }),
    findExtraTime(db, of.userId),
  ])
  const form = drawMock(bank, seedOf(of, 'mock', drawnCount + 1))
  return {
    mock: {
      ...factsOf(form),
      shortDomainNames: form.shortDomains,
      wanted: bank.full.questions,
      minutes: minutesFor(form.questions.length, bank.full),
      passingScore: bank.passingScore,
    },
    bankCount: bank.entries.length,
    open: { mock: openMock, custom: openCustom },
    finished: finished.map((one) => ({ ...one, finishedAt: one.finishedAt.toISOString() })),
    extraTime,
  }
}

/** The results that the page lists. */
const SHOWN_EXAMS = 12
