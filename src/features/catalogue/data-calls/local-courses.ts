import { numericId } from '../../../lib/ids.ts'
import type { CourseCardView, CourseView, ExamSummary } from '../catalogue.schema.ts'
import { UnsavedCourse, type LocalCourse, type LocalExam } from './local-courses.schema.ts'

/** Spec 9: when the stored courses were cleared, the list is loaded again after this. */
export const CLEAR_RELOAD_MS = 300

export function toLocal(course: CourseCardView): LocalCourse {
  const { id, priceCents, ...rest } = course
  const { title, description, category, imageUrl, slug, code, totalExams, totalQuestions, hasFreeTrial } = rest
  const shown = { title, description, category, imageUrl, slug, code, totalExams, totalQuestions, hasFreeTrial }
  return { id: numericId(id), supabaseId: id, price: priceCents / 100, ...shown }
}

export function fromLocal({ id: _id, supabaseId, price, ...rest }: LocalCourse): CourseCardView {
  // Of a sale only the server knows, and it is asked behind this.
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
  return exams.flatMap(({ id: _id, supabaseId, courseId: of, ...rest }) =>
    of === numericId(courseId) ? [{ ...rest, id: supabaseId }] : [],
  )
}

/** Courses without a row in whatever an earlier build, or this one, has stored: they exist nowhere else. */
export function unsavedIn(value: unknown): UnsavedCourse[] {
  const list = Array.isArray(value) ? value : (value as { courses?: unknown } | null)?.courses
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const hasRow = typeof (one as { supabaseId?: unknown } | null)?.supabaseId === 'string'
    const parsed = hasRow ? null : UnsavedCourse.safeParse(one)
    return parsed?.success === true ? [parsed.data] : []
  })
}

/** What is tried, one after the other, until it fits into a full storage: the least needed goes first. */
export function shorterLists<One>(list: readonly One[]): (readonly One[])[] {
  const halves: (readonly One[])[] = [list]
  for (let length = Math.floor(list.length / 2); length > 0; length = Math.floor(length / 2))
    halves.push(list.slice(0, length))
  return halves
}
