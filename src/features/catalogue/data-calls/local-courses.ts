import { numericId } from '../../../lib/ids.ts'
import type { CourseCardView, CourseView, ExamSummary } from '../catalogue.schema.ts'
import { UnsavedCourse, type LocalCourse, type LocalExam } from './local-courses.schema.ts'

/** The list is loaded again this long after the stored courses were cleared. */
export const CLEAR_RELOAD_MS = 300

export function toLocal(course: CourseCardView): LocalCourse {
  const { id, priceCents, ...rest } = course
  const { title, description, category, imageUrl, slug, code, totalExams, totalQuestions, hasFreeTrial } = rest
  const shown = { title, description, category, imageUrl, slug, code, totalExams, totalQuestions, hasFreeTrial }
  return { id: numericId(id), supabaseId: id, price: priceCents / 100, ...shown }
}

export function fromLocal({ id: _id, supabaseId, price, ...rest }: LocalCourse): CourseCardView {
  // The local copy has no sale price; the server's reply replaces it.
  return { ...rest, id: supabaseId, priceCents: Math.round(price * 100), wasCents: null, saleEndsAt: null }
}

export function toLocalExams(course: Pick<CourseView, 'id' | 'exams'>): LocalExam[] {
  return course.exams.map(({ id, title, slug, questionCount, timeLimitMinutes, passingScore, isFreeTrial }) => ({
    id: numericId(id),
    supabaseId: id,
    courseId: numericId(course.id),
    title,
    slug,
    questionCount,
    timeLimitMinutes,
    passingScore,
    isFreeTrial,
  }))
}

export function fromLocalExams(exams: readonly LocalExam[], courseId: string): ExamSummary[] {
  return exams.flatMap(({ id: _id, supabaseId, courseId: examCourseId, ...rest }) =>
    examCourseId === numericId(courseId) ? [{ ...rest, id: supabaseId }] : [],
  )
}

/** The courses without a row in a value stored by this or an earlier build. They exist nowhere else. */
export function unsavedIn(value: unknown): UnsavedCourse[] {
  const list = Array.isArray(value) ? value : (value as { courses?: unknown } | null)?.courses
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const hasRow = typeof (one as { supabaseId?: unknown } | null)?.supabaseId === 'string'
    const parsed = hasRow ? null : UnsavedCourse.safeParse(one)
    return parsed?.success === true ? [parsed.data] : []
  })
}

/** The list and ever shorter beginnings of it, to try until one fits into the storage. */
export function shorterLists<Item>(list: readonly Item[]): (readonly Item[])[] {
  const halves: (readonly Item[])[] = [list]
  for (let length = Math.floor(list.length / 2); length > 0; length = Math.floor(length / 2))
    halves.push(list.slice(0, length))
  return halves
}
