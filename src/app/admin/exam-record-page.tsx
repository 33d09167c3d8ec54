import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { CaseStudyList } from '../../features/authoring/case-studies/ui/case-study-list.tsx'
import { copy } from '../../features/authoring/drafts/drafts.copy.ts'
import type { ExamSettings } from '../../features/catalogue/exam-settings.schema.ts'
import { DraftBar } from '../../features/authoring/drafts/ui/draft-bar.tsx'
import { QuestionList } from '../../features/authoring/drafts/ui/question-list.tsx'
import { SettingsForm } from '../../features/authoring/exam-settings/settings-form.tsx'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { BackLink, Heading } from '../../ui/page-parts.tsx'
import type { examRecordLoader } from '../page-loaders.server.ts'
import { counted } from '../../lib/text.ts'

export { examRecordLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction<typeof examRecordLoader> = ({ data }) => [
  { title: data === undefined ? 'Exam' : data.exam.settings.title },
  { name: 'robots', content: 'noindex' },
]

/** An exam for admins: its draft, questions, settings and versions. */
export default function ExamRecordPage() {
  const { exam, list, filter, versions, caseStudies, adminId } = useLoaderData<typeof examRecordLoader>()
  const { draft } = exam
  return (
    <>
      <BackLink to={adminPaths.course(exam.courseId)}>{exam.courseTitle}</BackLink>
      <Heading of="record">{exam.settings.title}</Heading>
      <p className="nums mt-1 text-sm text-soft">
        Version {exam.versionNumber}, {counted(exam.questionCount, 'question')}, {facts(exam.settings)}
      </p>
      <ExamLinks examId={exam.familyId} />
      <DraftBar exam={exam} />
      <QuestionList examId={exam.familyId} hasDraft={draft !== null} list={list} filter={filter} />
      <CaseStudyList examId={exam.familyId} hasDraft={draft !== null} list={caseStudies} />
      <div className="mt-12 grid gap-x-12 gap-y-10 desktop:grid-cols-2">
        <section aria-labelledby="settings-heading">
          <h2 id="settings-heading" className="text-lg font-semibold">
            {copy['exam.settings']}
          </h2>
          {draft === null ? (
            <p className="nums mt-3 wrap-anywhere">{facts(exam.settings)}</p>
          ) : (
            <SettingsForm key={exam.familyId} examId={exam.familyId} adminId={adminId} draft={draft} />
          )}
        </section>
        <section aria-labelledby="versions-heading">
          <h2 id="versions-heading" className="text-lg font-semibold">
            {copy['exam.versions']}
          </h2>
          <ol className="mt-3 divide-y divide-line border-y border-line">
            {versions.map(({ version, attemptCount }) => (
              <li key={version.id} className="nums py-3">
                <span className="font-semibold">Version {version.versionNumber}</span>
                {version.isCurrent ? <span className="ml-3 text-sm font-semibold text-good">Current</span> : null}
                <p className="text-sm text-soft">
                  {formatInstant(version.createdAt)}, {counted(version.questionCount, 'question')},{' '}
                  {counted(attemptCount, 'attempt')}
                </p>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </>
  )
}

function ExamLinks({ examId }: { examId: string }) {
  const link =
    'inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2 tablet:min-h-11'
  return (
    <p className="mt-2 flex flex-wrap gap-x-5">
      <Link to={adminPaths.statistics(examId)} className={link}>
        Statistics
      </Link>
      <Link to={`${adminPaths.imports}?exam=${examId}`} className={link}>
        Import questions
      </Link>
      <Link to={adminPaths.examExport(examId)} className={link}>
        Export questions
      </Link>
      <Link to={adminPaths.print(examId)} className={link}>
        Print
      </Link>
    </p>
  )
}

function facts({ timeLimitMinutes, passingScore, scoringPolicy, isFreeTrial }: ExamSettings): string {
  const trial = isFreeTrial ? `, ${copy['exam.settings.free'].toLowerCase()}` : ''
  return `${counted(timeLimitMinutes, 'minute')}, ${passingScore}% to pass, ${copy[`policy.${scoringPolicy}`].toLowerCase()}${trial}`
}
