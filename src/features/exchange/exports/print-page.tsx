import { printedKey, PrintedParts } from '../../questions/types/print-registry.tsx'
import { StemText } from '../../questions/types/stem-registry.tsx'
import type { Question } from '../../questions/types/question-types.schema.ts'
import { Fragment } from 'react'
import { PrintedCaseStudy } from '../../questions/case-studies/ui/printed-case-study.tsx'
import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown-text.tsx'
import { Heading } from '../../../ui/page-parts.tsx'
import type { printLoader } from './exports-endpoints.server.ts'
import { copy } from './exports.copy.ts'

export { printLoader as loader } from './exports-endpoints.server.ts'

export const meta: MetaFunction<typeof printLoader> = ({ data }) => [
  { title: data === undefined ? copy['export.print'] : titleOf(data) },
  { name: 'robots', content: 'noindex' },
]

type Printed = Awaited<ReturnType<typeof printLoader>>

function titleOf({ exam, isKey }: Pick<Printed, 'exam' | 'isKey'>): string {
  return isKey ? fill(copy['print.key'], { title: exam.settings.title }) : exam.settings.title
}

/** An exam for printing, or its answer key as a separate sheet. No question is split between pages. */
export default function PrintPage() {
  const { exam, questions, caseStudies, isKey } = useLoaderData<typeof printLoader>()
  const { timeLimitMinutes: minutes, passingScore: percent } = exam.settings
  return (
    <>
      <div data-print="off" className="mb-8 flex flex-wrap items-center gap-3 border-b border-line pb-6">
        <Button onClick={() => print()}>{copy['print.now']}</Button>
        <ButtonLink
          look="secondary"
          to={isKey ? adminPaths.print(exam.familyId) : `${adminPaths.print(exam.familyId)}?key=1`}
        >
          {copy[isKey ? 'print.without-key' : 'print.with-key']}
        </ButtonLink>
        <Link
          to={adminPaths.exam(exam.familyId)}
          className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-2"
        >
          {copy['export.back.exam']}
        </Link>
        <p className="w-full text-sm text-soft">{copy['print.hint']}</p>
      </div>
      <Heading className="text-2xl font-semibold wrap-anywhere">{titleOf({ exam, isKey })}</Heading>
      <p className="nums mt-1 text-soft">
        {exam.courseTitle}. {fill(copy['print.facts'], { n: questions.length, minutes, percent })}
      </p>
      {isKey ? (
        <KeySheet questions={questions} />
      ) : (
        <>
          <dl className="mt-6 grid grid-cols-2 gap-8">
            {(['print.name', 'print.date'] as const).map((name) => (
              <div key={name}>
                <dt className="text-sm text-soft">{copy[name]}</dt>
                <dd className="h-8 border-b border-line-strong" />
              </div>
            ))}
          </dl>
          <ol className="mt-8 space-y-8">
            {questions.map((question, place) => {
              const begun = caseStudies.find(({ questionIds }) => questionIds[0] === question.id)
              return (
                <Fragment key={question.id}>
                  {begun === undefined ? null : (
                    <li>
                      <PrintedCaseStudy caseStudy={begun} first={place + 1} />
                    </li>
                  )}
                  <PaperQuestion question={question} number={place + 1} />
                </Fragment>
              )
            })}
          </ol>
        </>
      )}
    </>
  )
}

function PaperQuestion({ question, number }: { question: Question; number: number }) {
  return (
    <li className="grid break-inside-avoid grid-cols-[2.5rem_1fr]">
      <span className="nums font-semibold">{number}.</span>
      <div className="min-w-0">
        <StemText question={question} />
        <PrintedParts question={question} />
      </div>
    </li>
  )
}

function KeySheet({ questions }: { questions: readonly Question[] }) {
  return (
    <ol className="mt-8 space-y-5">
      {questions.map((question, place) => (
        <li key={question.id} className="grid break-inside-avoid grid-cols-[2.5rem_4rem_1fr]">
          <span className="nums font-semibold">{place + 1}.</span>
          <span className="font-semibold">{printedKey(question)}</span>
          <div className="min-w-0">{question.explanation === '' ? null : <Markdown text={question.explanation} />}</div>
        </li>
      ))}
    </ol>
  )
}
