// Adds the users of a chaos run to the database and prints them as JSON. It runs in the folder of the code that the shop runs, because a
// version writes the tables as it knows them: node --import tsx scripts/cluster/chaos/make-people.ts <people.json's options as JSON>
import { sql } from 'kysely'
import { openDatabase } from '../../../src/db/open.server.ts'
import type { CourseId } from '../../../src/lib/ids.ts'
import { makeLearner, makeTakers, type StartedTaker } from '../../../tests/support/exam-takers.ts'

const EXAM = 'clf-practice-exam-1'

export type Buyer = { readonly id: string; readonly cookie: string }

export type People = {
  readonly takers: readonly StartedTaker[]
  /** They take one exam after the other. */
  readonly submitters: readonly StartedTaker[]
  readonly buyers: readonly Buyer[]
  /** They try whether all is well. */
  readonly prober: { readonly taker: StartedTaker; readonly buyer: Buyer }
  readonly course: { readonly id: string; readonly price: number; readonly slug: string }
  /** The exam that is published again and again. Nobody takes it. */
  readonly publishedExam: string
}

type Options = {
  readonly directUrl: string
  readonly url: string
  readonly dataDir: string
  readonly takers: number
  readonly submitters: number
  readonly buyers: number
}

async function makePeople({ directUrl, url, dataDir, ...counts }: Options): Promise<People> {
  const { db, close } = openDatabase(directUrl, { connections: 4 })
  try {
    const [owned, course] = await db
      .selectFrom('courses')
      .where('status', '=', 'published')
      .where(sql<boolean>`price > 0`)
      .orderBy('slug')
      .limit(2)
      .select(['id', 'price', 'slug'])
      .execute()
    if (owned === undefined || course === undefined) throw new Error('the catalogue has too few courses')
    const { id: publishedExam } = await db
      .selectFrom('test_questions')
      .where('is_current_version', '=', true)
      .where('slug', '!=', EXAM)
      .orderBy('slug', 'desc')
      .select('id')
      .executeTakeFirstOrThrow()
    const buyers: Buyer[] = []
    for (let number = 0; number <= counts.buyers; number += 1) {
      const { id, cookie } = await makeLearner(db, { dataDir, courseId: owned.id as CourseId })
      buyers.push({ id, cookie: `${cookie.name}=${cookie.value}` })
    }
    const make = (count: number) => makeTakers(db, { dataDir, url, count, examSlug: EXAM })
    const [taker, ...takers] = await make(counts.takers + 1)
    return {
      takers,
      submitters: await make(counts.submitters),
      buyers: buyers.slice(1),
      prober: { taker: taker!, buyer: buyers[0]! },
      course: { id: course.id, price: Number(course.price), slug: course.slug },
      publishedExam,
    }
  } finally {
    await close()
  }
}

if (process.argv[1]?.endsWith('make-people.ts'))
  process.stdout.write(JSON.stringify(await makePeople(JSON.parse(process.argv[2]!) as Options)))
