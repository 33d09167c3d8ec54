import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startApp } from '../../../tests/support/start-app.ts'
import { aCourse, anExam } from '../../../tests/support/build-course.ts'
import { anAdmin, aStudent } from '../../../tests/support/users.ts'
import { listAdminCourses } from './catalogue-queries.server.ts'
import { CourseFilter } from './catalogue.schema.ts'
import { listCourseChoices, listExamChoices, resolveCourse } from './course-choices-queries.server.ts'
import { CHOICES_SHOWN, describeCourse, unclearSentence } from './course-choices.ts'
import type { CourseChoices, ExamChoices } from './course-choices.schema.ts'

const app = await startApp()
const { db } = app.services.database
const admin = await anAdmin(app)
const student = await aStudent(app)
const path = '/api/admin/course-choices'

/** Adds courses, each changed a minute earlier than the previous one. */
const MANY = 300
await sql`insert into courses (title, slug, price, updated_at)
  select 'Course ' || n, 'course-' || n, 5, now() - n * interval '1 minute' from generate_series(1, ${MANY}::int) n`.execute(
  db,
)
const choose = async (search?: string) =>
  (await admin.browser.get(search === undefined ? path : `${path}?search=${encodeURIComponent(search)}`))
    .body as CourseChoices
const titles = ({ choices }: CourseChoices) => choices.map(({ title }) => title)

test('only admins can search all courses', async () => {
  expect((await app.visitor().get(path)).status).toBe(401)
  expect((await student.browser.get(path)).status).toBe(403)
  const refused = await admin.browser.get(`${path}?search=${'x'.repeat(401)}`)
  expect(refused).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'search' }] } } })
})

test('an empty search lists the latest changes and the number of all courses', async () => {
  const { choices, foundCount } = await choose()
  expect(foundCount).toBe(MANY)
  expect(choices.map(({ title }) => title)).toEqual(
    Array.from({ length: CHOICES_SHOWN }, (_, index) => `Course ${index + 1}`),
  )
  expect(choices[0]).toMatchObject({ slug: 'course-1', status: 'published', examCount: 0 })
  expect(await choose()).toEqual({ choices, foundCount })
})

test('a search matches like the list of courses, exact matches first', async () => {
  for (const search of ['course 29', 'COURSE-3', '100%', 'no such thing', 'c_urse']) {
    const listed = await listAdminCourses(db, CourseFilter.parse({ search }))
    expect({ search, found: (await choose(search)).foundCount }).toEqual({ search, found: listed.foundCount })
  }
  // An exact title is listed although more titles than fit contain it; so is the alphabetically last title.
  expect(titles(await choose('course 2'))[0]).toBe('Course 2')
  expect((await choose('course 2')).foundCount).toBeGreaterThan(CHOICES_SHOWN)
  expect(titles(await choose('course-99'))).toEqual(['Course 99'])
})

test('courses with equal titles differ in their secondary text', async () => {
  const title = 'Twins of the same name'
  const [one, two] = [await aCourse(db, { title }), await aCourse(db, { title })]
  await anExam(db, two.id)
  const { choices } = await choose(title)
  const said = choices.map(describeCourse)
  expect(new Set(said).size).toBe(2)
  expect(said).toContain(`Published, 1 exam, ${two.slug}`)
  expect(titles(await choose(one.slug))[0]).toBe(title)
  expect((await choose(two.slug)).choices[0]?.id).toBe(two.id)
})

test('a search for exams only covers their course', async () => {
  const [here, there] = [await aCourse(db), await aCourse(db)]
  const [first, second] = [await anExam(db, here.id), await anExam(db, here.id)]
  await anExam(db, there.id)
  const reply = await admin.browser.get(`/api/admin/courses/${here.id}/exam-choices`)
  const { choices, foundCount } = reply.body as ExamChoices
  expect(foundCount).toBe(2)
  expect(new Set(choices.map(({ id }) => id))).toEqual(new Set([first.id, second.id]))
  expect(await listExamChoices(db, { courseId: here.id, search: second.slug })).toMatchObject({
    choices: [{ id: second.id }],
  })
  expect((await admin.browser.get('/api/admin/courses/none/exam-choices')).status).toBe(404)
})

test('an address names a course by its id or by typed text, which takes precedence', async () => {
  const [course, other] = (await listCourseChoices(db, 'course 29')).choices
  const id = course!.id
  expect(await resolveCourse(db, { course: id, named: null })).toEqual({ chosen: course, unclear: null })
  expect(await resolveCourse(db, { course: id, named: course!.title })).toEqual({ chosen: course, unclear: null })
  expect(await resolveCourse(db, { course: id, named: '' })).toEqual({ chosen: null, unclear: null })
  expect(await resolveCourse(db, { course: id, named: other!.title })).toEqual({ chosen: other, unclear: null })
  expect(await resolveCourse(db, { course: null, named: 'COURSE-299' })).toMatchObject({
    chosen: { title: 'Course 299' },
  })
  const many = await resolveCourse(db, { course: id, named: 'twins' })
  expect(many).toEqual({ chosen: null, unclear: { named: 'twins', foundCount: 2 } })
  expect(unclearSentence(many.unclear!)).toMatch(/^2 courses match “twins”/)
  expect(await resolveCourse(db, { course: null, named: 'no such thing' })).toMatchObject({
    unclear: { foundCount: 0 },
  })
})
