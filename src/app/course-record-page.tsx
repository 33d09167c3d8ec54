import { Link, useLoaderData, useParams, type MetaFunction } from 'react-router'
import { paths } from '../lib/paths.ts'
import { formatInstant } from '../lib/time.ts'
import { EmptyState, Heading } from '../ui/page.tsx'
import type { courseRecordLoader } from './pages.server.ts'

export { courseRecordLoader as loader } from './pages.server.ts'

export const meta: MetaFunction<typeof courseRecordLoader> = ({ data }) => [
  { title: data === undefined ? 'Course' : data.course.title },
  { name: 'robots', content: 'noindex' },
]

/** One course for admins: its exams with their versions, drafts and attempts. */
export default function CourseRecordPage() {
  const { course, exams } = useLoaderData<typeof courseRecordLoader>()
  const { courseId = '' } = useParams()
  const link = 'inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2'
  return (
    <>
      <Link to={paths.adminCourses} className="text-sm font-semibold text-accent underline underline-offset-2">
        All courses
      </Link>
      <Heading className="mt-3 text-xl font-semibold tablet:text-2xl">{course.title}</Heading>
      <p className="mt-1 flex flex-wrap gap-x-5 text-sm">
        <Link to={paths.course(course.slug)} className="inline-flex min-h-8 items-center text-soft hover:underline">
          View in the shop
        </Link>
        <Link to={`${paths.adminImports}?course=${courseId}`} className={link}>
          Import an exam
        </Link>
        <Link to={paths.adminCourseExport(courseId)} className={link}>
          Export
        </Link>
      </p>
      <h2 className="mt-8 text-lg font-semibold">Exams</h2>
      {exams.length === 0 ? (
        <div className="mt-3">
          <EmptyState title="No exams yet" hint="Exams that are imported or built appear here." />
        </div>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {exams.map(({ exam, attemptCount }) => (
            <li key={exam.familyId} className="py-4">
              <Link to={paths.adminExam(exam.familyId)} className="font-semibold hover:underline">
                {exam.settings.title}
              </Link>
              <p className="nums mt-1 flex flex-wrap gap-x-5 gap-y-1 text-sm text-soft">
                <span>Version {exam.versionNumber}</span>
                <span>{count(exam.questionCount, 'question')}</span>
                <span>{count(attemptCount, 'attempt')}</span>
                {exam.draft === null ? (
                  <span>No draft</span>
                ) : (
                  <span className="font-semibold text-accent">
                    Draft, changed {formatInstant(exam.draft.updatedAt)}
                  </span>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`
}
