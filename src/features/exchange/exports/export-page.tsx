import { useState } from 'react'
import { Link, useLoaderData, useNavigate, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { RadioList } from '../../../ui/radio-list.tsx'
import { EXPORT_FORMATS } from '../../questions/formats/formats.schema.ts'
import type { exportLoader } from './exports-endpoints.server.ts'
import { downloadPath, type Export, withPlace } from './exports-client.ts'
import { copy, exportFormatNames } from './exports.copy.ts'
import { EXPORT_VERSIONS, type ExportSubject } from './exports.schema.ts'
import { LossReport } from './ui/loss-report.tsx'
import { PlaceChooser } from './ui/place-chooser.tsx'
import { counted } from '../../../lib/text.ts'

export { exportLoader as loader } from './exports-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['export.title'] }, { name: 'robots', content: 'noindex' }]

/** Selects questions, their version and the file format, and shows the losses of that format. */
export default function ExportPage() {
  const { subjects, listed, chosen } = useLoaderData<typeof exportLoader>()
  const [only] = subjects.length === 1 ? subjects : []
  return (
    <>
      {only === undefined ? null : (
        <BackLink to={only.kind === 'course' ? adminPaths.course(only.id) : adminPaths.exam(only.id)}>
          {copy[`export.back.${only.kind}`]}
        </BackLink>
      )}
      <Heading of={only === undefined ? 'page' : 'record'}>{copy['export.title']}</Heading>
      <p className="mt-1 max-w-read text-soft">{copy['export.about']}</p>
      {subjects.length === 0 ? null : <Chosen subjects={subjects} questions={chosen.questions} />}
      {chosen.questions === '' ? (
        <details
          open={subjects.length === 0 || chosen.search !== ''}
          className="mt-6"
          key={String(subjects.length === 0)}
        >
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold">
            {copy[subjects.length === 0 ? 'export.choose' : 'export.choose.more']}
          </summary>
          <PlaceChooser listed={listed} search={chosen.search} chosen={subjects} />
        </details>
      ) : null}
      {subjects.length === 0 ? null : <Form />}
    </>
  )
}

function Chosen({ subjects, questions }: { subjects: readonly ExportSubject[]; questions: string }) {
  const [query] = useSearchParams()
  if (questions !== '')
    return (
      <p className="nums mt-6 font-semibold wrap-anywhere">
        {fill(copy['export.of.questions'], {
          questions: counted(questions.split(',').length, 'question'),
          title: subjects[0]?.title ?? '',
        })}
      </p>
    )
  return (
    <ul aria-label={copy['export.chosen']} className="mt-6 divide-y divide-line border-y border-line">
      {subjects.map(({ kind, id, title, courseTitle, exams, questionCount }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 py-2">
          <span className="nums min-w-0 wrap-anywhere">
            <span className="font-semibold">{fill(copy[`export.of.${kind}`], { title })}</span>{' '}
            <span className="block text-sm text-soft">
              {kind === 'course'
                ? fill(copy['export.course.about'], {
                    exams: counted(exams, 'exam'),
                    questions: counted(questionCount, 'question'),
                  })
                : `${courseTitle}, ${counted(questionCount, 'question')}`}
            </span>
          </span>
          {subjects.length === 1 ? null : (
            <Link
              to={`?${withPlace(query, subjects, { kind, id })}`}
              preventScrollReset
              state={{ keepsFocus: true }}
              aria-label={fill(copy['export.remove.of'], { title })}
              className="inline-flex min-h-8 items-center text-sm font-semibold text-accent underline underline-offset-2"
            >
              {copy['export.remove']}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Form() {
  const { subjects, chosen } = useLoaderData<typeof exportLoader>()
  const [format, setFormat] = useState<Export['format']>(chosen.format)
  const { version, questions } = chosen
  const count = questions === '' ? countOf(subjects, version) : questions.split(',').length
  const request: Export = {
    format,
    version,
    course: idsOf(subjects, 'course'),
    exam: idsOf(subjects, 'exam'),
    ...(questions === '' ? {} : { questions }),
  }
  const [only] = subjects.length === 1 ? subjects : []
  return (
    <>
      <VersionChoice subjects={subjects} version={version} />
      {count === 0 ? (
        <Notice tone="flag" className="mt-6" title={copy['export.nothing']} />
      ) : (
        <div className="mt-6 grid items-start gap-x-12 gap-y-8 desktop:grid-cols-2">
          <div>
            <RadioList
              legend={copy['export.format']}
              choices={EXPORT_FORMATS.map((value) => ({ value, label: exportFormatNames[value] }))}
              chosen={format}
              onChoose={setFormat}
            />
            <ButtonLink to={downloadPath(request)} reloadDocument className="mt-4">
              {copy['export.download']}
            </ButtonLink>
          </div>
          <LossReport key={JSON.stringify(request)} request={request} questionCount={count} />
        </div>
      )}
      {only?.kind !== 'exam' || count === 0 ? null : (
        <p className="mt-10 flex flex-wrap gap-3 border-t border-line pt-6">
          <ButtonLink look="secondary" to={adminPaths.print(only.id)}>
            {copy['export.print']}
          </ButtonLink>
          <ButtonLink look="secondary" to={`${adminPaths.print(only.id)}?key=1`}>
            {copy['export.print.key']}
          </ButtonLink>
        </p>
      )}
    </>
  )
}

/** Published or draft; hidden while there are no drafts. */
function VersionChoice({ subjects, version }: { subjects: readonly ExportSubject[]; version: Version }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const drafts = subjects.reduce((total, subject) => total + subject.drafts, 0)
  if (drafts === 0 && version === 'published') return null
  const handleVersion = (next: Version) => {
    const params = new URLSearchParams(query)
    params.set('version', next)
    void navigate(`?${params}`, { preventScrollReset: true, replace: true, state: { keepsFocus: true } })
  }
  return (
    <div className="mt-6">
      <RadioList
        legend={copy['export.version']}
        choices={EXPORT_VERSIONS.map((value) => ({
          value,
          label: copy[`export.version.${value}`],
          about: fill(copy[`export.version.${value}.about`], {
            exams: counted(drafts, 'exam'),
            questions: counted(countOf(subjects, value), 'question'),
          }),
        }))}
        chosen={version}
        onChoose={handleVersion}
      />
    </div>
  )
}

type Version = Export['version']

function countOf(subjects: readonly ExportSubject[], version: Version): number {
  const name = version === 'draft' ? 'draftedCount' : 'questionCount'
  return subjects.reduce((total, subject) => total + subject[name], 0)
}

function idsOf(subjects: readonly ExportSubject[], kind: ExportSubject['kind']): string {
  return subjects.flatMap((subject) => (subject.kind === kind ? [subject.id] : [])).join(',')
}
