import { z } from 'zod'
import { endpoint } from '../../platform/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../platform/page-loader.server.ts'
import { listAdminCourses } from './read.server.ts'
import { rowsApi } from './rows/api.server.ts'
import { AdminCourseView } from './schema.ts'

export function catalogueApi() {
  return [
    ...rowsApi(),
    endpoint({
      method: 'GET',
      path: '/api/admin/courses',
      who: 'admin',
      about: 'Every course with its exams, latest change first.',
      reply: z.object({ courses: z.array(AdminCourseView) }),
      handle: async (_input, { db }) => ({ courses: await listAdminCourses(db) }),
    }),
  ]
}

/** The admin's list of courses. */
export const courseManagementLoader = pageLoader(async ({ context, url }) => {
  const { id: adminId } = requireAdminForPage(context, url)
  return { courses: await listAdminCourses(context.db), adminId }
})
