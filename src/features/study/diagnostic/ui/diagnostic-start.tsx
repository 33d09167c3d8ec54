import { Form, Link, useNavigation } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { CheckIcon } from '../../../../ui/icons.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { EmptyState } from '../../../../ui/page-parts.tsx'
import { copy } from '../diagnostic.copy.ts'
import type { StartPage } from '../diagnostic-endpoints.server.ts'

/** What a diagnostic is and how long it takes, with its start; or why there is none. */
export function DiagnosticStart({ data }: { data: StartPage }) {
  const { course, size, isGuest, start } = data
  if (start.questions === 0) return <NoQuestion data={data} />
  return (
    <>
      <p className="mt-2 max-w-read text-soft">{copy['start.about']}</p>
      {start.isWaiting ? (
        <Notice tone="info" className="mt-6">
          {copy['start.waiting']}
        </Notice>
      ) : null}
      <div className="mt-8 rounded-lg border border-line bg-surface p-5 tablet:p-6">
        <p className="nums text-lg font-semibold">
          {fill(copy[size === 'full' && !start.isFew ? 'start.full.length' : 'start.length'], {
            n: start.questions,
            minutes: start.minutes,
          })}
        </p>
        {start.isFew && size === 'full' ? (
          <p className="nums mt-1 max-w-read text-soft">{fill(copy['start.few'], { n: start.questions })}</p>
        ) : null}
        <ul className="mt-4 space-y-2.5">
          {factsOf(size, isGuest).map((fact) => (
            <li key={fact} className="flex max-w-read gap-2.5">
              <span className="mt-1 shrink-0 text-accent">
                <CheckIcon />
              </span>
              <span className="min-w-0">{fact}</span>
            </li>
          ))}
        </ul>
        <StartForm slug={course.slug} act="start">
          {copy['start.button']}
        </StartForm>
        {isGuest ? <p className="mt-3 text-sm text-soft">{copy['start.free']}</p> : null}
      </div>
      {size === 'short' ? (
        <p className="mt-5 max-w-read text-soft">
          {copy['start.owner']}{' '}
          <Link to={paths.course(course.slug)} className="font-semibold text-accent underline underline-offset-2">
            {copy['offer.course']}
          </Link>
        </p>
      ) : null}
    </>
  )
}

function factsOf(size: StartPage['size'], isGuest: boolean): string[] {
  return [
    copy['start.fact.share'],
    copy['start.fact.unknown'],
    copy[isGuest ? 'start.fact.leave.guest' : 'start.fact.leave'],
    copy['start.fact.keys'],
    copy[size === 'full' ? 'start.fact.end' : 'start.fact.end.short'],
    copy['start.fact.seen'],
  ]
}

/** A button that starts a diagnostic; `anew` although the last one ended not long ago. */
export function StartForm({
  slug,
  act,
  look = 'primary',
  children,
}: {
  slug: string
  act: 'start' | 'anew'
  look?: 'primary' | 'secondary'
  children: string
}) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <Form method="post" action={paths.diagnostic(slug)} className="mt-6">
      <input type="hidden" name="do" value={act} />
      <Button type="submit" look={look} disabled={isBusy}>
        {children}
      </Button>
    </Form>
  )
}

function NoQuestion({ data: { course, start } }: { data: StartPage }) {
  const why = start.hasQuestions ? 'new' : 'free'
  const to = start.hasQuestions ? paths.progress(course.slug) : paths.course(course.slug)
  return (
    <div className="mt-8">
      <EmptyState
        drawing="attempts"
        title={copy[`none.${why}.title`]}
        hint={copy[`none.${why}`]}
        action={<ButtonLink to={to}>{copy[`none.${why}.do`]}</ButtonLink>}
      />
    </div>
  )
}
