import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId, UserId } from '../../../lib/ids.ts'
import {
  hashAnswerKey,
  keyOfItem,
  type ItemName,
} from '../../attempts/calibrations/item-calibrations-queries.server.ts'
import { blindChance, isRight } from '../../questions/types/grading-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { isCounted, listGivenAnswers, type GivenAnswer } from '../progress/study-progress-commands.server.ts'
import type { CalibrationItem, CalibrationResponses } from '../readiness/item-calibration.ts'
import { keyOf } from '../study.ts'
import { listExams, listVersions } from '../study-exams-queries.server.ts'
import { monthOf } from './calibration-rule.ts'

/** A course with the answers since its last calibration, and the number that this one counted. */
type CourseNews = { readonly courseId: CourseId; readonly newCount: number; readonly countedBefore: number }

/** How many answers each course has got from learners since its last calibration. */
export async function listCourseNews(db: Db): Promise<CourseNews[]> {
  const { rows } = await sql<CourseNews>`
    with since as (
      select courses.id, coalesce(at, '-infinity') as at, coalesce(responses, 0) as responses
      from courses left join course_calibrations on course_id = courses.id
    ), given as (
      select since.id, (result->>'answeredCount')::int as count from since
      join attempts on course_id = since.id and state = 'finished' and finished_at > since.at and user_id is not null
      union all
      select since.id, 1 from since join drills on course_id = since.id
      join drill_answers on drill_id = drills.id and answered_at > since.at and user_id is not null and ${isCounted}
    )
    select since.id as "courseId", responses as "countedBefore",
      (select coalesce(sum(count), 0) from given where given.id = since.id)::int as "newCount"
    from since`.execute(db)
  return rows
}

const USERS_PER_PAGE = 200

/** The learners of a course, page by page. Admins know the answer keys, so their answers say nothing. */
async function* learnersOf(db: Db, courseId: CourseId): AsyncGenerator<UserId> {
  for (let last: string | null = null; ;) {
    const { rows }: { rows: { userId: UserId }[] } = await sql<{ userId: UserId }>`
      select given.user_id as "userId" from (
        select user_id from attempts where course_id = ${courseId} and state = 'finished' and user_id is not null
        union select user_id from drills where course_id = ${courseId}
      ) as given join profiles on profiles.id = given.user_id
      where role <> 'admin' and (${last}::uuid is null or given.user_id > ${last}::uuid)
      order by given.user_id limit ${USERS_PER_PAGE}`.execute(db)
    for (const { userId } of rows) yield userId
    last = rows.at(-1)?.userId ?? null
    if (rows.length < USERS_PER_PAGE) return
  }
}

/** All that a calibration of a course looks at. */
export type CalibrationFacts = {
  readonly responses: CalibrationResponses
  readonly items: readonly (CalibrationItem & ItemName)[]
}

/**
 * The first answer of each learner to each question of a course, in finished exams and in drills, and the items: the current questions,
 * answered or not, and former versions with another answer key. Guests are left out: one person may be many of them.
 */
export async function readCalibrationFacts(db: Db, courseId: CourseId, now: Date): Promise<CalibrationFacts> {
  const items = await itemsOfCourse(db, courseId)
  const responses = new ResponseList()
  for await (const userId of learnersOf(db, courseId)) {
    const given = await listGivenAnswers(db, { userId, courseId, after: null, until: now.toISOString() })
    await items.load(new Set(given.map(({ examId }) => examId)))
    responses.add(firstAnswers(given), (answer) => items.find(answer))
  }
  return { responses: responses.done(), items: items.all }
}

function firstAnswers(given: readonly GivenAnswer[]): GivenAnswer[] {
  const seen = new Set<string>()
  return given.filter((answer) => {
    const key = keyOf(answer)
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst
  })
}

type FoundItem = { readonly place: number; readonly question: Question }

/** The items of a course by the versions in which they were asked. */
async function itemsOfCourse(db: Db, courseId: CourseId) {
  const all: (CalibrationItem & ItemName)[] = []
  const places = new Map<string, number>()
  const versions = new Map<string, ReadonlyMap<string, FoundItem>>()
  const labels = new Map<string, string>()

  function addVersion(familyId: string, questions: ReadonlyMap<string, Question>) {
    return new Map(
      [...questions].map(([questionId, question]) => {
        const name = { familyId, questionId, answerKey: hashAnswerKey(question) }
        const key = keyOfItem(name)
        const place = places.get(key) ?? all.length
        if (place === all.length) {
          const label = labels.get(keyOf(name)) ?? question.difficulty
          labels.set(keyOf(name), label)
          places.set(key, place)
          all.push({ ...name, label, guess: blindChance(question) })
        }
        return [questionId, { place, question }] as const
      }),
    )
  }

  // Current versions first: their label counts for former ones too.
  for (const exam of (await listExams(db, { courseIds: [courseId], examIds: new Set() })).values())
    versions.set(exam.id, addVersion(exam.familyId, exam.questions))

  return {
    all,
    async load(examIds: ReadonlySet<string>) {
      const missing = new Set([...examIds].filter((id) => !versions.has(id)))
      const families = await listFamilies(db, missing)
      for (const [id, questions] of await listVersions(db, missing))
        versions.set(id, addVersion(families.get(id) ?? id, questions))
    },
    find: ({ examId, questionId }: GivenAnswer) => versions.get(examId)?.get(questionId),
  }
}

async function listFamilies(db: Db, examIds: ReadonlySet<string>): Promise<Map<string, string>> {
  if (examIds.size === 0) return new Map()
  const rows = await db
    .selectFrom('test_questions')
    .where('id', 'in', [...examIds])
    .select(['id', 'family_id'])
    .execute()
  return new Map(rows.map(({ id, family_id }) => [id, family_id]))
}

class ResponseList {
  readonly #persons: number[] = []
  readonly #items: number[] = []
  readonly #isRight: number[] = []
  #personCount = 0

  /** Adds the answers of one learner, each month as a person of its own. */
  add(answers: readonly GivenAnswer[], find: (answer: GivenAnswer) => FoundItem | undefined) {
    const months = new Map<number, number>()
    for (const answer of answers) {
      const item = find(answer)
      if (item === undefined) continue
      const month = monthOf(answer.at)
      const person = months.get(month) ?? this.#personCount++
      months.set(month, person)
      this.#persons.push(person)
      this.#items.push(item.place)
      this.#isRight.push(isRight(item.question, answer.answer) ? 1 : 0)
    }
  }

  done(): CalibrationResponses {
    return {
      persons: Int32Array.from(this.#persons),
      items: Int32Array.from(this.#items),
      isRight: Uint8Array.from(this.#isRight),
      personCount: this.#personCount,
    }
  }
}
