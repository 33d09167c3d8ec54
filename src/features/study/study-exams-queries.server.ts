import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.server.ts'
import type { CourseId, ExamId } from '../../lib/ids.ts'
import {
  getCourseCalibration,
  itemKeyOf,
  type CourseCalibration,
} from '../attempts/calibrations/item-calibrations-queries.server.ts'
import { findCourse, getExamQuestions } from '../catalogue/catalogue-queries.server.ts'
import type { Question } from '../questions/types/question-types.schema.ts'
import { courseItemOf, type CalibratedDifficulty } from './readiness/course-items.ts'
import type { CourseItem, ReadinessFacts } from './readiness/readiness.ts'
import { keyOf } from './study.ts'

/** An exam with its answer keys. Never sent to the browser. */
export type Exam = {
  readonly id: ExamId
  readonly familyId: string
  readonly courseId: CourseId
  readonly rowVersion: number
  readonly passingScore: number
  readonly questions: ReadonlyMap<string, Question>
}

const CACHED_EXAMS = 60
const cachedQuestions = new LRUCache<string, ReadonlyMap<string, Question>>({ max: CACHED_EXAMS })

/** The current exams of some courses, and the given versions, with their questions. */
export async function listExams(
  db: Db,
  of: { courseIds: readonly CourseId[]; examIds: ReadonlySet<string> },
): Promise<Map<string, Exam>> {
  if (of.courseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('test_questions')
    .where('course_id', 'in', of.courseIds)
    .where((eb) =>
      eb.or([eb('is_current_version', '=', true), ...(of.examIds.size === 0 ? [] : [eb('id', 'in', [...of.examIds])])]),
    )
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'family_id', 'course_id', 'passing_score', 'row_version'])
    .execute()
  return new Map(
    await Promise.all(
      rows.map(async (row) => {
        const exam: Exam = {
          id: row.id as ExamId,
          familyId: row.family_id,
          courseId: row.course_id as CourseId,
          rowVersion: row.row_version,
          passingScore: row.passing_score,
          questions: await getCachedQuestions(db, row.id as ExamId, row.row_version),
        }
        return [row.id, exam] as const
      }),
    ),
  )
}

/** The questions of exam versions. */
export async function listVersions(
  db: Db,
  examIds: ReadonlySet<string>,
): Promise<Map<string, ReadonlyMap<string, Question>>> {
  if (examIds.size === 0) return new Map()
  const rows = await db
    .selectFrom('test_questions')
    .where('id', 'in', [...examIds])
    .select(['id', 'row_version'])
    .execute()
  return new Map(
    await Promise.all(
      rows.map(async ({ id, row_version }) => [id, await getCachedQuestions(db, id as ExamId, row_version)] as const),
    ),
  )
}

/** What readiness needs to know of a course, from the database. */
export async function getReadinessFacts(
  db: Db,
  courseId: CourseId,
): Promise<Pick<ReadinessFacts, 'items' | 'passingScore' | 'blueprint'>> {
  const [exams, calibration, course] = await Promise.all([
    listExams(db, { courseIds: [courseId], examIds: new Set() }),
    getCourseCalibration(db, courseId),
    findCourse(db, courseId),
  ])
  const current = [...exams.values()]
  return {
    items: current.flatMap(({ familyId, questions }) =>
      [...questions.values()].map((question) =>
        itemOf(keyOf({ familyId, questionId: question.id }), { familyId, question }, calibration),
      ),
    ),
    passingScore: passingScoreOf(current),
    blueprint: course?.blueprint ?? null,
  }
}

type KnownItem = { readonly item: CourseItem; readonly calibrated: CalibratedDifficulty | undefined }

/** The last item of each question: most stay as they are from one request to the next. */
const knownItems = new WeakMap<Question, KnownItem>()

/** A current question as readiness sees it. */
export function itemOf(
  key: string,
  { familyId, question }: { readonly familyId: string; readonly question: Question },
  { items }: CourseCalibration,
): CourseItem {
  const calibrated = items.size === 0 ? undefined : items.get(itemKeyOf(familyId, question))
  const known = knownItems.get(question)
  if (known?.item.key === key && isSameDifficulty(known.calibrated, calibrated)) return known.item
  const item = courseItemOf(key, question, calibrated)
  knownItems.set(question, { item, calibrated })
  return item
}

function isSameDifficulty(one: CalibratedDifficulty | undefined, other: CalibratedDifficulty | undefined): boolean {
  return one?.difficulty === other?.difficulty && one?.deviation === other?.deviation
}

/** The highest passing score among the exams of a course, in percent. */
export function passingScoreOf(exams: readonly Exam[]): number {
  return Math.max(0, ...exams.map((exam) => exam.passingScore))
}

/** Cached per version of the row: every visit needs the answer keys of hundreds of questions. */
async function getCachedQuestions(db: Db, examId: ExamId, rowVersion: number): Promise<ReadonlyMap<string, Question>> {
  const cacheKey = `${examId} ${rowVersion}`
  const cached = cachedQuestions.get(cacheKey)
  if (cached !== undefined) return cached
  const questions = new Map((await getExamQuestions(db, examId)).map((question) => [question.id, question]))
  cachedQuestions.set(cacheKey, questions)
  return questions
}
