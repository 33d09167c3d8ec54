import { useLoaderData, type MetaFunction } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import type { courseBuilderLoader } from '../courses/admin-courses-endpoints.server.ts'
import { BeginCourse } from './begin-course.tsx'
import { BuilderSteps, type BuiltCourse } from './builder-steps.tsx'

export { courseBuilderLoader as loader } from '../courses/admin-courses-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: 'Course builder' }, { name: 'robots', content: 'noindex' }]

/** Builds a new course step by step. Each step is saved as a draft, on this device at once and on the server. */
export default function CourseBuilderPage() {
  const { adminId, now, drafts, built } = useLoaderData<typeof courseBuilderLoader>()
  return (
    <>
      {built === null ? (
        <>
          <Heading>Course builder</Heading>
          <p className="mt-2 max-w-read text-soft">
            Four steps from a title to a course on sale. Each is kept as a draft, so you can stop anywhere and go on
            from another device.
          </p>
          <BeginCourse adminId={adminId} drafts={drafts} />
        </>
      ) : (
        <>
          <BackLink to={adminPaths.builder}>Course builder</BackLink>
          <Heading of="record">{built.course.title}</Heading>
          <BuilderSteps adminId={adminId} now={now} built={built satisfies BuiltCourse} />
        </>
      )}
    </>
  )
}
