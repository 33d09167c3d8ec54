import { useEffect, useState } from 'react'
import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/client.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Heading, Skeleton } from '../../../ui/page.tsx'
import { RadioList } from '../../../ui/radio-list.tsx'
import { EXPORT_FORMATS } from '../../questions/formats/schema.ts'
import type { exportLoader } from './api.server.ts'
import { downloadPath, type Export, findLosses } from './client.ts'
import { copy, exportFormatNames } from './copy.ts'
import { groupLosses } from './rules.ts'
import type { Losses } from './schema.ts'

export { exportLoader as loader } from './api.server.ts'

export const meta: MetaFunction = () => [{ title: copy['export.title'] }, { name: 'robots', content: 'noindex' }]

/** Chooses the form in which questions leave, with what it can't carry beside it. */
export default function ExportPage() {
  const { subject, questions, format: asked } = useLoaderData<typeof exportLoader>()
  const [format, setFormat] = useState<Export['format']>(asked)
  const wanted: Export = {
    format,
    [subject.kind]: subject.id,
    ...(questions === '' ? {} : { questions }),
  }
  const count = questions === '' ? subject.questionCount : questions.split(',').length
  const isCourse = subject.kind === 'course'
  return (
    <>
      <Link
        to={isCourse ? paths.adminCourse(subject.id) : paths.adminExam(subject.id)}
        className="text-sm font-semibold text-accent underline underline-offset-2"
      >
        {copy[`export.back.${subject.kind}`]}
      </Link>
      <Heading className="mt-3 text-xl font-semibold tablet:text-2xl">{copy['export.title']}</Heading>
      <p className="nums mt-1 wrap-anywhere">
        {questions === ''
          ? fill(copy[`export.of.${subject.kind}`], { title: subject.title })
          : fill(copy['export.of.questions'], { n: count, title: subject.title })}
      </p>
      <p className="mt-1 max-w-read text-soft">{copy['export.about']}</p>
      {count === 0 ? (
        <Notice tone="flag" className="mt-6" title={copy['export.nothing']} />
      ) : (
        <div className="mt-6 grid gap-x-12 gap-y-8 desktop:grid-cols-2">
          <div>
            <RadioList
              legend={copy['export.format']}
              choices={EXPORT_FORMATS.map((value) => ({ value, label: exportFormatNames[value] }))}
              chosen={format}
              onChoose={setFormat}
            />
            <ButtonLink to={downloadPath(wanted)} reloadDocument className="mt-4">
              {copy['export.download']}
            </ButtonLink>
          </div>
          <LossReport key={format} wanted={wanted} />
        </div>
      )}
      {isCourse || count === 0 ? null : (
        <p className="mt-10 flex flex-wrap gap-3 border-t border-line pt-6">
          <ButtonLink look="secondary" to={paths.adminPrint(subject.id)}>
            {copy['export.print']}
          </ButtonLink>
          <ButtonLink look="secondary" to={`${paths.adminPrint(subject.id)}?key=1`}>
            {copy['export.print.key']}
          </ButtonLink>
        </p>
      )}
    </>
  )
}

const SHOWN_KEYS = 12

function LossReport({ wanted }: { wanted: Export }) {
  const [losses, setLosses] = useState<Losses | string | null>(null)
  const asked = JSON.stringify(wanted)
  useEffect(() => {
    // Outside: the server writes the file to see what it loses.
    let isGone = false
    findLosses(JSON.parse(asked) as Export)
      .catch(messageOf)
      .then((found) => (isGone ? undefined : setLosses(found)))
    return () => {
      isGone = true
    }
  }, [asked])
  if (losses === null)
    return (
      <div role="status">
        <span className="sr-only">{copy['export.counting']}</span>
        <Skeleton className="h-24 w-full" />
      </div>
    )
  if (typeof losses === 'string') return <Notice tone="bad">{losses}</Notice>
  const groups = groupLosses(losses.losses)
  if (groups.length === 0) return <Notice tone="good" title={copy['export.losses.none']} />
  const losing = new Set(losses.losses.flatMap(({ questionId }) => (questionId === '' ? [] : [questionId]))).size
  return (
    <section aria-labelledby="losses-heading">
      <h2 id="losses-heading" className="text-lg font-semibold">
        {copy['export.losses.title']}
      </h2>
      <p className="nums mt-1 text-sm text-soft" role="status">
        {fill(copy['export.losses.count'], { n: losing, total: losses.questionCount })}
      </p>
      <ul className="mt-3 space-y-3">
        {groups.map(({ sentence, count, questionIds }) => (
          <li key={sentence} className="border-l-4 border-flag pl-3">
            <p>{sentence}</p>
            <p className="nums text-sm wrap-anywhere text-soft">
              {count === 0
                ? copy['export.losses.exam']
                : `${count === 1 ? copy['export.losses.once'] : fill(copy['export.losses.times'], { n: count })}: ${questionIds.slice(0, SHOWN_KEYS).join(', ')}`}
              {count > SHOWN_KEYS ? ` ${fill(copy['export.losses.more'], { n: count - SHOWN_KEYS })}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
