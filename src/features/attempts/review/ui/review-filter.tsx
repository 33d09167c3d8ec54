import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { copy } from '../../attempts.copy.ts'
import type { ReviewedQuestion } from '../../attempts.schema.ts'

const filters = {
  all: () => true,
  wrong: ({ isRight }) => !isRight,
  flagged: ({ isFlagged }) => isFlagged,
  unsure: ({ confidence }) => confidence === 'unsure',
} as const satisfies Record<string, (one: ReviewedQuestion) => boolean>
const filterNames = ['all', 'wrong', 'flagged', 'unsure'] as const
type FilterName = (typeof filterNames)[number]

/** Which questions are shown: those that pass the filter, of one domain or of all (''). */
export type Choice = { readonly filter: FilterName; readonly domain: string }

/** The choice stands in the address, so that it survives a reload and can be kept and sent. */
export function useChoice(domains: readonly string[]): Choice {
  const [query] = useSearchParams()
  const domain = query.get('domain') ?? ''
  return {
    filter: filterNames.find((one) => one === query.get('show')) ?? 'all',
    domain: domains.includes(domain) ? domain : '',
  }
}

/** What else the address says stays. */
function searchFor(search: string, { filter, domain }: Choice): string {
  const query = new URLSearchParams(search)
  query.delete('show')
  query.delete('domain')
  if (filter !== 'all') query.set('show', filter)
  if (domain !== '') query.set('domain', domain)
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The address of a question where all of them are shown. */
export function useQuestionAddress(): (number: number) => { search: string; hash: string } {
  const { search } = useLocation()
  return (number) => ({ search: searchFor(search, { filter: 'all', domain: '' }), hash: `#question-${number}` })
}

export function isShown({ filter, domain }: Choice, one: ReviewedQuestion): boolean {
  return (domain === '' || one.question.domain === domain) && filters[filter](one)
}

/** Links for the filters and a list for the domains, each with how many questions it leaves. */
export function ReviewFilter({
  questions,
  domains,
  choice,
}: {
  questions: readonly ReviewedQuestion[]
  domains: readonly string[]
  choice: Choice
}) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const countOf = (one: Choice) => questions.filter((question) => isShown(one, question)).length
  const way = { replace: true, preventScrollReset: true, state: { keepsFocus: true } } as const
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3" data-print="off">
      <ul aria-label={copy['review.show']} className="flex flex-wrap gap-1">
        {filterNames.map((filter) => (
          <li key={filter}>
            <Link
              to={{ search: searchFor(search, { ...choice, filter }) }}
              {...way}
              aria-current={choice.filter === filter ? 'true' : undefined}
              className="nums inline-flex min-h-11 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-3 text-sm font-medium transition-colors duration-150 hover:bg-sunken aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
            >
              {copy[`review.${filter}`]}
              <span className={choice.filter === filter ? '' : 'text-soft'}>{countOf({ ...choice, filter })}</span>
            </Link>
          </li>
        ))}
      </ul>
      {domains.length < 2 ? null : (
        <select
          aria-label={copy['review.domain']}
          value={choice.domain}
          onChange={(event) =>
            void navigate({ search: searchFor(search, { ...choice, domain: event.target.value }) }, way)
          }
          className="nums min-h-11 max-w-full rounded-md border border-line-strong bg-surface px-3 text-sm"
        >
          <option value="">{copy['review.domain.all']}</option>
          {domains.map((domain) => (
            <option key={domain} value={domain}>
              {fill(copy['review.domain.one'], { domain, n: countOf({ ...choice, domain }) })}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
