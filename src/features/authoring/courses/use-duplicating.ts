import { useNavigate } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { toast } from '../../../ui/toasts.tsx'
import { duplicateCourse } from './admin-courses-client.ts'

/** Copies a course with its exams and opens the copy. Bypasses the outbox: only the server has the questions. */
export function useDuplicating() {
  const navigate = useNavigate()
  return async (courseId: string) => {
    const copied = await duplicateCourse(courseId, crypto.randomUUID())
    toast('success', 'Course copied', `${copied.title} is a draft with exams and questions of its own.`)
    await navigate(adminPaths.course(copied.id))
  }
}
