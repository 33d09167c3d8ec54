import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aDatabase } from '../../../tests/support/test-database.ts'
import { CachedQueries } from '../../platform/cache/cached-queries.server.ts'
import { listHomeCourses, listSlugs } from './catalogue-queries.server.ts'
import { CARDS_ON_PAGE, type CourseSearch } from './catalogue.ts'

const { db } = await aDatabase()
const cachedQueries = new CachedQueries({ isUp: () => true, now: () => performance.now() })
const everything: CourseSearch = { text: '', category: null }

/** Adds courses of two alternating levels, each a minute older than the previous one. */
async function aShopOf(count: number) {
  await sql`truncate courses cascade`.execute(db)
  await sql`insert into courses (title, slug, price, category, description, created_at)
    select 'Course ' || n, 'course-' || n, 5, (array['associate', 'specialty'])[1 + n % 2], 'Exámenes of ' || n,
      now() - n * interval '1 minute' from generate_series(1, ${count}::int) n`.execute(db)
  cachedQueries.drop()
}

const home = (page = 1, search = everything) => listHomeCourses({ cachedQueries, db }, { ...search, page })
const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: (to - from) / step + 1 }, (_, index) => `Course ${from + index * step}`)
const titlesOf = async (page: number, search = everything) =>
  (await home(page, search)).courses.map(({ title }) => title)

test('courses that fit on one page are all sent, whatever the search', async () => {
  await aShopOf(0)
  expect(await home()).toEqual({ courses: [], isWhole: true, allCount: 0, foundCount: 0, page: 1, pageCount: 1 })
  await aShopOf(CARDS_ON_PAGE)
  const { courses, ...rest } = await home(3, { text: 'Course 7', category: 'specialty' })
  expect(courses).toHaveLength(CARDS_ON_PAGE)
  expect(rest).toEqual({ isWhole: true, allCount: CARDS_ON_PAGE, foundCount: CARDS_ON_PAGE, page: 1, pageCount: 1 })
})

test('a longer list is paged, newest first, and each course is on exactly one page', async () => {
  await aShopOf(150)
  const { courses, ...rest } = await home(2)
  expect(rest).toEqual({ isWhole: false, allCount: 150, foundCount: 150, page: 2, pageCount: 3 })
  expect(courses[0]).toMatchObject({ title: 'Course 61', priceCents: 500, totalExams: 0 })
  expect((await Promise.all([1, 2, 3].map((page) => titlesOf(page)))).flat()).toEqual(numbers(1, 150))
  expect(await listSlugs(db)).toHaveLength(150)
})

test('a level and a search are paged, and a search matches every word, the code, and without accents', async () => {
  await aShopOf(300)
  await sql`update courses set blueprint = '{"code": "SAA-C03"}' where title = 'Course 299'`.execute(db)
  const specialty = { text: '', category: 'specialty' } as const
  expect(await titlesOf(3, specialty)).toEqual(numbers(241, 299, 2))
  expect(await home(3, specialty)).toMatchObject({ foundCount: 150, allCount: 300, pageCount: 3 })
  const found = { text: 'EXAMENES course', category: null }
  expect(await titlesOf(5, found)).toEqual(numbers(241, 300))
  expect(await home(5, found)).toMatchObject({ foundCount: 300, pageCount: 5 })
  expect(await titlesOf(1, { text: 'saa-c03', category: null })).toEqual(['Course 299'])
  expect(await titlesOf(1, { text: 'saa-c03', category: 'associate' })).toEqual([])
  expect(await home(1, { text: 'nothing of the kind', category: null })).toMatchObject({ foundCount: 0, pageCount: 1 })
})

test('only the newest course of a title and owner is listed and counted, also in a search; drafts are not', async () => {
  await aShopOf(62)
  await sql`update courses set title = 'Course 1' where title = 'Course 62'`.execute(db)
  await sql`update courses set status = 'draft' where title = 'Course 61'`.execute(db)
  expect(await home()).toMatchObject({ isWhole: true, allCount: 60 })
  await sql`insert into courses (title, slug, price) select 'Other ' || n, 'other-' || n, 5 from generate_series(1, 5) n`.execute(
    db,
  )
  cachedQueries.drop()
  expect(await home(2)).toMatchObject({ isWhole: false, allCount: 65, pageCount: 2 })
  expect(await home(1, { text: 'course', category: null })).toMatchObject({ foundCount: 60 })
})

test('a page and a search are cached until the catalogue changes', async () => {
  await aShopOf(100)
  const search = { text: 'course 9', category: null }
  const before = await titlesOf(1, search)
  await sql`update courses set title = 'Renamed' where title = 'Course 9'`.execute(db)
  expect(await titlesOf(1, search)).toEqual(before)
  cachedQueries.drop()
  expect(await titlesOf(1, search)).toEqual(before.filter((title) => title !== 'Course 9'))
})
