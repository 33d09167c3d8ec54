import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CourseView } from '../catalogue.schema.ts'
import { findStoredCourse, readStoredCourses, storeCourses, storeExams } from './local-courses-client.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const course: CourseView = {
  id: '00000000-0000-4000-8000-000000000001',
  slug: 'a-course',
  title: 'A course',
  description: 'About things.',
  priceCents: 1999,
  wasCents: null,
  saleEndsAt: null,
  category: 'associate',
  imageUrl: '',
  code: null,
  totalExams: 1,
  totalQuestions: 2,
  hasFreeTrial: true,
  blueprint: null,
  updatedAt: '',
  exams: [
    {
      id: '00000000-0000-4000-8000-000000000002',
      slug: 'an-exam',
      title: 'An exam',
      questionCount: 2,
      timeLimitMinutes: 60,
      passingScore: 70,
      isFreeTrial: true,
    },
  ],
}

test('a stored course is shown with its stored exams, or without exams if none are stored', () => {
  storeCourses([course])
  expect(findStoredCourse('A-Course')).toMatchObject({ title: 'A course', priceCents: 1999, exams: [] })
  storeExams(course)
  expect(findStoredCourse(course.id)?.exams).toEqual(course.exams)
  expect(findStoredCourse('another-course')).toBeNull()
})

test('broken exams, or those of another version, do not affect the courses', () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  storeCourses([course])
  for (const broken of ['{"version":0,"exams":[{"id":"x"}]}', '{"version":', 'null', '[[]]']) {
    localStorage.setItem('exams', broken)
    expect(findStoredCourse(course.slug)).toMatchObject({ title: 'A course', exams: [] })
  }
  localStorage.setItem('courses', '{"version":')
  expect(readStoredCourses()).toBeNull()
  expect(warned).toHaveBeenCalled()
  warned.mockRestore()
})
