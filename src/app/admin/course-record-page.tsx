import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { Badge } from '../../features/catalogue/ui/course-badge.tsx'
import { CourseActions } from '../../features/authoring/courses/ui/course-actions.tsx'
import { CourseExams } from '../../features/authoring/courses/ui/course-exams.tsx'
import { PriceControl } from '../../features/pricing/scheduled-prices/ui/price-control.tsx'
import { adminPaths } from '../../lib/admin-paths.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { BackLink, Heading } from '../../ui/page-parts.tsx'
import type { courseRecordLoader } from '../page-loaders.server.ts'
import { counted } from '../../lib/text.ts'

export { courseRecordLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction<typeof courseRecordLoader> = ({ data }) => [
  { title: data === undefined ? 'Course' : data.course.title },
  { name: 'robots', content: 'noindex' },
]

const link = 'inline-flex min-h-8 items-center font-semibold text-accent underline underline-offset-2'

/** A course for admins: its actions, and its exams with versions, drafts and attempts. */
export default function CourseRecordPage() {
  const { course, exams, adminId } = useLoaderData<typeof courseRecordLoader>()
  const listed = exams.map(({ exam, attemptCount }) => ({
    id: exam.familyId,
    title: exam.settings.title,
    questionCount: exam.draft?.questionCount ?? exam.questionCount,
    minutes: exam.settings.timeLimitMinutes,
    passingScore: exam.settings.passingScore,
    isFreeTrial: exam.settings.isFreeTrial,
    facts: [
      `Version ${exam.versionNumber}`,
      counted(attemptCount, 'attempt'),
      exam.draft === null ? 'No draft' : `Draft, changed ${formatInstant(exam.draft.updatedAt)}`,
    ],
  }))
  return (
    <>
      <BackLink to={adminPaths.courses}>All courses</BackLink>
      <div className="mt-3 flex items-start gap-4">
        <Badge
          category={course.category}
          code={course.blueprint?.code ?? null}
          title={course.title}
          className="size-14 shrink-0"
        />
        <div className="min-w-0">
          <Heading className="text-xl font-semibold wrap-anywhere tablet:text-2xl">{course.title}</Heading>
          <p className="nums mt-1 flex flex-wrap items-center gap-x-5 text-sm text-soft">
            {course.status === 'draft' ? (
              <span className="wrap-anywhere">{paths.course(course.slug)}</span>
            ) : (
              <Link to={paths.course(course.slug)} className={link}>
                View in the shop
              </Link>
            )}
            <Link to={`${adminPaths.imports}?course=${course.id}`} className={link}>
              Import an exam
            </Link>
            <Link to={adminPaths.courseExport(course.id)} className={link}>
              Export the course
            </Link>
          </p>
        </div>
      </div>
      <div className="mt-3">
        <PriceControl
          courseId={course.id}
          title={course.title}
          adminId={adminId}
          priceCents={course.priceCents}
          look="secondary"
        />
      </div>
      <CourseActions course={course} questionCount={exams.reduce((sum, { exam }) => sum + exam.questionCount, 0)} />
      <div className="mt-10">
        <CourseExams courseId={course.id} exams={listed} />
      </div>
    </>
  )
}
