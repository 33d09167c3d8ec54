import { useLoaderData, type MetaFunction } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import type { courseEditLoader } from './admin-courses-endpoints.server.ts'
import { FactsEditor } from './ui/facts-editor.tsx'

export { courseEditLoader as loader } from './admin-courses-endpoints.server.ts'

export const meta: MetaFunction<typeof courseEditLoader> = ({ data }) => [
  { title: data === undefined ? 'Course' : `Edit ${data.course.title}` },
  { name: 'robots', content: 'noindex' },
]

/** The facts of one course. */
export default function CourseEditPage() {
  const { course, adminId, now } = useLoaderData<typeof courseEditLoader>()
  return (
    <>
      <BackLink to={adminPaths.course(course.id)}>{course.title}</BackLink>
      <Heading of="record">Edit course</Heading>
      <div className="mt-6">
        <FactsEditor key={course.id} course={course} adminId={adminId} now={now} savesItself={false} />
      </div>
    </>
  )
}
