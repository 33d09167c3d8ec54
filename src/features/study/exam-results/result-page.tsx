import { Link, useActionData, useLoaderData, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay, formatInstant } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Breadcrumb, Heading, Page } from '../../../ui/page-parts.tsx'
import type { resultAction, resultLoader } from './exam-results-endpoints.server.ts'
import { copy } from './exam-results.copy.ts'
import { HIGHEST_SCORE } from './exam-results.ts'
import type { ResultView } from './exam-results.schema.ts'
import { PledgeConditions } from './ui/pledge-conditions.tsx'

export { resultAction as action, resultLoader as loader } from './exam-results-endpoints.server.ts'

export const meta: MetaFunction<typeof resultLoader> = ({ data }) => [
  { title: data === undefined ? copy['result.meta'] : `${copy['result.meta']}: ${data.course.title}` },
  { name: 'robots', content: 'noindex' },
]

type Loaded = Awaited<ReturnType<typeof resultLoader>>

/** The learner says how the real exam went, and sees which conditions of the pledge they meet. */
export default function ResultPage() {
  const data = useLoaderData<typeof resultLoader>()
  const [search] = useSearchParams()
  const refused = useActionData<typeof resultAction>()
  const { course, result, earlier } = data
  const doneText = { saved: copy['result.saved'], deleted: copy['result.deleted'] }[search.get('done') ?? '']
  return (
    <Page width="exam">
      <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} />
      <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{copy['result.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['result.about']}</p>
      {refused === undefined && doneText !== undefined ? (
        <Notice tone="good" className="mt-6">
          {doneText}
        </Notice>
      ) : null}
      <GivenNotice given={data.given} />
      <section
        aria-label={copy['result.meta']}
        className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6"
      >
        <Current data={data} />
      </section>
      <PledgeConditions conditions={data.conditions} />
      {earlier.length === 0 ? null : (
        <section aria-labelledby="earlier-heading" className="mt-10">
          <h2 id="earlier-heading" className="text-xl font-semibold">
            {copy['result.earlier']}
          </h2>
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {earlier.map((one) => (
              <li key={one.examDate} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
                <Summary result={one} />
                <DeleteForm examDate={one.examDate} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {result === null ? null : (
        <div className="mt-8">
          <DeleteForm examDate={result.examDate} />
        </div>
      )}
    </Page>
  )
}

function GivenNotice({ given }: Pick<Loaded, 'given'>) {
  if (given === null) return null
  if (given.state === 'declined')
    return (
      <Notice tone="flag" className="mt-6">
        {fill(copy['pledge.given.declined'], { reason: given.reason ?? '' })}
      </Notice>
    )
  return (
    <Notice tone="good" className="mt-6">
      {given.until === null ? null : <p>{fill(copy['pledge.given'], { at: formatInstant(given.until) })}</p>}
      {given.state === 'asked' ? <p>{copy['pledge.given.asked']}</p> : null}
    </Notice>
  )
}

/** What there is to say about the exam of the plan: no date, not yet, or the form. */
function Current({ data }: { data: Loaded }) {
  const { phase, examDate, result } = data
  if (examDate === null || phase === 'none')
    return (
      <p>
        {copy['result.none']}{' '}
        <Link to={paths.plan(data.course.slug)} className="font-medium text-accent underline">
          {copy['result.plan']}
        </Link>
      </p>
    )
  const day = formatDay(examDate)
  if (phase === 'before') return <p className="nums">{fill(copy['result.before'], { day })}</p>
  return (
    <>
      <h2 className="nums text-lg font-semibold">{fill(copy['result.exam'], { day })}</h2>
      {result === null ? null : <Summary result={result} />}
      <ResultForm data={data} examDate={examDate} />
    </>
  )
}

function Summary({ result }: { result: ResultView }) {
  const { examDate, isPassed, score, told } = result
  return (
    <div className="nums mt-1 min-w-0">
      <p>
        <span className="font-semibold">{fill(copy['result.yours'], { day: formatDay(examDate) })}:</span>{' '}
        {copy[isPassed ? 'result.yours.passed' : 'result.yours.failed']}{' '}
        {score === null ? null : fill(copy['result.yours.score'], { score })}
      </p>
      <p className="text-sm text-soft">
        {told === null
          ? copy['result.told.none']
          : fill(copy['result.told'], {
              day: formatDay(told.day),
              chance: Math.round(told.realExam.passChance * 100),
            })}
      </p>
    </div>
  )
}

function ResultForm({ data, examDate }: { data: Loaded; examDate: string }) {
  const refused = useActionData<typeof resultAction>()
  const { result, passMark } = data
  const problemOf = (field: string) => refused?.failure.fields?.find((one) => one.field === field)?.message
  const stored = result === null ? '' : result.isPassed ? 'yes' : 'no'
  const chosen = refused?.typed['isPassed'] ?? stored
  const passedProblem = problemOf('isPassed')
  const isInField = passedProblem !== undefined || problemOf('score') !== undefined
  return (
    <form method="post" className="mt-4 max-w-read space-y-5">
      <input type="hidden" name="examDate" value={examDate} />
      <fieldset aria-describedby={passedProblem === undefined ? undefined : 'passed-problem'}>
        <legend className="mb-1 text-sm font-medium">{copy['result.passed']}</legend>
        {(['yes', 'no'] as const).map((value) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
            <input
              type="radio"
              name="isPassed"
              value={value}
              defaultChecked={chosen === value}
              className="size-5 shrink-0"
            />
            {copy[`result.passed.${value}`]}
          </label>
        ))}
        {passedProblem === undefined ? null : (
          <p id="passed-problem" className="mt-1 text-sm text-bad">
            {copy['result.passed.needed']}
          </p>
        )}
      </fieldset>
      <Field
        label={copy['result.score']}
        hint={fill(copy[passMark === null ? 'result.score.percent' : 'result.score.scale'], { mark: passMark ?? 0 })}
        name="score"
        inputMode="numeric"
        autoComplete="off"
        maxLength={String(HIGHEST_SCORE).length}
        className="max-w-60"
        defaultValue={refused?.typed['score'] ?? result?.score ?? ''}
        problem={problemOf('score')}
      />
      {refused === undefined || isInField ? null : <Notice tone="bad">{refused.failure.message}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" name="do" value={result === null ? 'report' : 'change'}>
          {copy[result === null ? 'result.send' : 'result.change']}
        </Button>
        {result === null ? (
          <Button type="submit" look="secondary" name="do" value="later">
            {copy['result.later']}
          </Button>
        ) : (
          <Link to={paths.myCourses} className="inline-flex min-h-11 items-center px-3 font-medium text-soft underline">
            {copy['result.back']}
          </Link>
        )}
      </div>
    </form>
  )
}

function DeleteForm({ examDate }: { examDate: string }) {
  return (
    <form method="post">
      <input type="hidden" name="examDate" value={examDate} />
      <Button
        type="submit"
        look="quiet"
        name="do"
        value="delete"
        aria-label={`${copy['result.delete']}: ${formatDay(examDate)}`}
      >
        {copy['result.delete']}
      </Button>
    </form>
  )
}
