import { Link, useActionData, useLoaderData, useSearchParams, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatDay } from '../../lib/time.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Breadcrumb, EmptyState, Heading, Page, quietLink } from '../../ui/page-parts.tsx'
import type { drillLoader } from './study-endpoints.server.ts'
import { copy } from './study.copy.ts'
import { countCards } from './study.ts'
import type { DrillSummary } from './study.schema.ts'
import { CardsBlock } from './anki-cards/cards-block.tsx'
import type { questionFilterAction } from './question-filters/question-filters-endpoints.server.ts'
import { QuestionFilterForm } from './question-filters/ui/question-filter-form.tsx'
import { ResultAsk } from './exam-results/ui/result-ask.tsx'
import { ReadinessFigure } from './readiness/readiness-figure.tsx'
import { RepetitionBlock } from './repetition/repetition-block.tsx'

export { questionFilterAction as action } from './question-filters/question-filters-endpoints.server.ts'
export { drillLoader as loader } from './study-endpoints.server.ts'

export const meta: MetaFunction<typeof drillLoader> = ({ data }) => [
  { title: data === undefined ? copy['drill.page.title'] : `${copy['drill.page.title']}: ${data.course.title}` },
  { name: 'robots', content: 'noindex' },
]

/** Starts a drill or a custom exam, or resumes the open one. */
export default function DrillPage() {
  const data = useLoaderData<typeof drillLoader>()
  const { course } = data
  return (
    <Page width="exam">
      <Breadcrumb ways={[{ to: paths.course(course.slug), label: course.title }]} />
      <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{copy['drill.page.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['drill.about']}</p>
      {data.kind === 'open' ? <ResultAsk questions={data.asked} back={paths.drill(course.slug)} /> : null}
      <Link to={paths.studySheets(course.slug)} className={quietLink}>
        {copy['drill.sheets']}
      </Link>
      {data.kind === 'refused' ? <Refused slug={course.slug} why={data.why} /> : <Open data={data} />}
    </Page>
  )
}

type OpenData = Extract<Awaited<ReturnType<typeof drillLoader>>, { kind: 'open' }>

function Open({ data }: { data: OpenData }) {
  const [search] = useSearchParams()
  const posted = useActionData<typeof questionFilterAction>()
  const { course, standings, repetition, readiness, open } = data
  if (standings.length === 0)
    return (
      <div className="mt-8">
        <EmptyState drawing="attempts" title={copy['drill.empty']} />
      </div>
    )
  return (
    <>
      {open === null ? null : <OpenDrill drill={open} slug={course.slug} />}
      <RepetitionBlock courseSlug={course.slug} repetition={repetition} openDrillId={open?.id ?? null} />
      <QuestionFilterForm
        key={search.toString()}
        data={data}
        linked={{ kind: search.get('kind'), from: search.get('from') }}
        posted={posted}
        isMain={open === null && repetition.dueCount === 0}
      />
      <CardsBlock courseSlug={course.slug} count={countCards(standings)} />
      <ReadinessFigure readiness={readiness} />
    </>
  )
}

function OpenDrill({ drill, slug }: { drill: DrillSummary; slug: string }) {
  const { answeredCount: answered, questionCount: total } = drill
  return (
    <section
      aria-labelledby="open-heading"
      className="mt-8 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <div>
        <h2 id="open-heading" className="text-lg font-semibold">
          {copy['drill.open.title']}
        </h2>
        <p className="nums text-soft">
          {fill(copy['drill.open'], { answered, total, day: formatDay(drill.startedAt) })} {copy['drill.open.ends']}
        </p>
      </div>
      <ButtonLink to={paths.runningDrill(slug, drill.id)}>{copy['drill.resume']}</ButtonLink>
    </section>
  )
}

function Refused({ slug, why }: { slug: string; why: 'none' | 'ended' }) {
  return (
    <div className="mt-8">
      <EmptyState
        drawing="attempts"
        title={copy[`drill.refused.${why}.title`]}
        hint={copy[`drill.refused.${why}`]}
        action={<ButtonLink to={paths.course(slug)}>{copy['drill.refused.course']}</ButtonLink>}
      />
    </div>
  )
}
