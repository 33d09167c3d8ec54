import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { minutesWith } from '../../../attempts/attempts.ts'
import { copy } from '../mock-exams.copy.ts'
import type { MockPage } from '../mock-exams-page.tsx'
import { OpenExam } from './open-exam.tsx'

/** The next full-length exam: what it will be made of, and its start. */
export function MockExamCard({ data: { course, mock, open, extraTime } }: { data: MockPage }) {
  const minutes = minutesWith(extraTime, mock.minutes)
  return (
    <section aria-labelledby="mock-heading" className="mt-8 rounded-lg border border-line bg-surface p-5 tablet:p-6">
      <h2 id="mock-heading" className="text-xl font-semibold">
        {copy['mock.title']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['mock.about']}</p>
      {open.mock === null ? null : <OpenExam slug={course.slug} open={open.mock} look="primary" />}
      <dl className="nums mt-5 grid grid-cols-3 border-y border-line">
        <Fact label="Questions" value={String(mock.questions)} />
        <Fact label="Minutes" value={minutes === null ? 'No clock' : String(minutes)} />
        <Fact label="To pass" value={`${mock.passingScore}%`} />
      </dl>
      <ul className="nums mt-4 max-w-read space-y-1.5">
        {sentencesOf(mock).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <form method="post" action={paths.mock(course.slug)} className="mt-5">
        <input type="hidden" name="kind" value="mock" />
        <input type="hidden" name="replaces" value={open.mock?.id ?? ''} />
        <Button type="submit" look={open.mock === null ? 'primary' : 'secondary'}>
          {copy[open.mock === null ? 'mock.start' : 'mock.start.replaces']}
        </Button>
      </form>
    </section>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col-reverse justify-end py-4 pr-2 not-first:border-l not-first:border-line not-first:pl-4 tablet:not-first:pl-6">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="text-2xl font-semibold">{value}</dd>
    </div>
  )
}

/** What a learner should know of the form before it starts. */
function sentencesOf(mock: MockPage['mock']): string[] {
  const { questions: n, unseen, waiting, drawnLately, missing, wanted, shortDomainNames } = mock
  const freshness = unseen === n ? 'mock.fresh.all' : unseen === 0 ? 'mock.fresh.none' : 'mock.fresh.some'
  return [
    fill(copy[freshness], { n, unseen }),
    ...(waiting === 0 ? [] : [fill(copy[waiting === n ? 'mock.waiting.all' : 'mock.waiting'], { n: waiting })]),
    ...(drawnLately === 0 ? [] : [fill(copy['mock.lately'], { n: drawnLately })]),
    ...(missing === 0 ? [] : [fill(copy['mock.short'], { have: n, wanted })]),
    ...(missing > 0 || shortDomainNames.length === 0
      ? []
      : [fill(copy['mock.short-domains'], { domains: shortDomainNames.join(', ') })]),
  ]
}
