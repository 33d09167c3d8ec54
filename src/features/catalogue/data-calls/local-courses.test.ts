import { expect, test } from 'vitest'
import type { CourseView } from '../catalogue.schema.ts'
import { fromLocal, shorterLists, toLocal, toLocalExams, unsavedIn } from './local-courses.ts'
import { StoredCourses } from './local-courses.schema.ts'

const exam = {
  id: '0198aaaa-0000-7000-8000-000000000002',
  slug: 'exam-1',
  title: 'Exam 1',
  questionCount: 65,
  timeLimitMinutes: 130,
  passingScore: 72,
  isFreeTrial: true,
}
const course: CourseView = {
  id: '0198aaaa-0000-7000-8000-000000000001',
  slug: 'course',
  title: 'Course',
  description: 'About',
  priceCents: 1999,
  wasCents: null,
  saleEndsAt: null,
  category: 'associate',
  imageUrl: '',
  code: 'SAA-C03',
  totalExams: 1,
  totalQuestions: 65,
  hasFreeTrial: true,
  blueprint: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  exams: [exam],
}

test('a course is stored with its row id as supabaseId and a derived number, and read back unchanged', () => {
  const local = toLocal(course)
  expect(local).toMatchObject({ id: 0x0198aaaa0000, supabaseId: course.id, price: 19.99 })
  const { blueprint: _blueprint, updatedAt: _updatedAt, exams: _exams, ...card } = course
  expect(fromLocal(local)).toEqual(card)
})

test('an exam is stored without its questions', () => {
  const withKey = { ...exam, questions: [{ final_answer: 'A' }] }
  expect(JSON.stringify(toLocalExams({ ...course, exams: [withKey] }))).not.toContain('final_answer')
  expect(toLocalExams(course)).toMatchObject([{ courseId: toLocal(course).id, supabaseId: exam.id }])
})

test('a stored list of another version, or a broken one, is ignored', () => {
  expect(StoredCourses.safeParse({ version: 1, courses: [toLocal(course)] }).success).toBe(true)
  for (const value of [null, [], 'x', { version: 2, courses: [] }, { version: 1, courses: [{ id: 1 }] }])
    expect(StoredCourses.safeParse(value).success).toBe(false)
})

test('courses without a row are found in lists of every version', () => {
  const made = { id: 5, title: 'Made here', price: 3 }
  const stored = [made, { ...made, supabaseId: course.id }, { title: '' }, 7, null]
  for (const value of [stored, { version: 0, courses: stored }])
    expect(unsavedIn(value)).toMatchObject([{ title: 'Made here', price: 3, description: '', exams: [] }])
  for (const value of [null, 'x', {}, { courses: 3 }]) expect(unsavedIn(value)).toEqual([])
})

test('the older half of a list that does not fit is dropped first', () => {
  expect(shorterLists([1, 2, 3, 4, 5]).map((list) => list.length)).toEqual([5, 2, 1])
})
