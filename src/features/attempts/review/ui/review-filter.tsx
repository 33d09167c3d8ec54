import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { Select } from '../../../../ui/select-field.tsx'
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

/** The questions to show. An empty domain means all domains. */
type QuestionFilter = { readonly show: FilterName; readonly domain: string }

/** The filter is in the address, so that it survives a reload and can be bookmarked and shared. */
export function useQuestionFilter(domains: readonly string[]): QuestionFilter {
  const [query] = useSearchParams()
  const domain = query.get('domain') ?? ''
  return {
    show: filterNames.find((one) => one === query.get('show')) ?? 'all',
    domain: domains.includes(domain) ? domain : '',
  }
}

/** The query of the address with this filter. Its other fields stay. */
function searchFor(search: string, { show, domain }: QuestionFilter): string {
  const query = new URLSearchParams(search)
  query.delete('show')
  query.delete('domain')
  if (show !== 'all') query.set('show', show)
  if (domain !== '') query.set('domain', domain)
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** The address of a question, without a filter that could hide it. */
export function useQuestionAddress(): (number: number) => { search: string; hash: string } {
  const { search } = useLocation()
  return (number) => ({ search: searchFor(search, { show: 'all', domain: '' }), hash: `#question-${number}` })
}

export function isShown({ show, domain }: QuestionFilter, one: ReviewedQuestion): boolean {
  return (domain === '' || one.question.domain === domain) && filters[show](one)
}

/** Links for the filters and a list of domains, each with the number of questions that it shows. */
export function ReviewFilter({
  questions,
  domains,
  filter,
}: {
  questions: readonly ReviewedQuestion[]
  domains: readonly string[]
  filter: QuestionFilter
}) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const countOf = (one: QuestionFilter) => questions.filter((question) => isShown(one, question)).length
  const way = { replace: true, preventScrollReset: true, state: { keepsFocus: true } } as const
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3" data-print="off">
      <ul
        aria-label={copy['review.show']}
        className="flex flex-wrap gap-1 max-tablet:grid max-tablet:w-full max-tablet:grid-cols-2 max-tablet:gap-2"
      >
        {filterNames.map((show) => (
          <li key={show}>
            <Link
              to={{ search: searchFor(search, { ...filter, show }) }}
              {...way}
              aria-current={filter.show === show ? 'true' : undefined}
              className="nums inline-flex min-h-11 items-center gap-1.5 rounded-md max-tablet:w-full max-tablet:justify-center border border-line-strong bg-surface px-3 text-sm font-medium transition-colors duration-150 hover:bg-sunken aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
            >
              {copy[`review.${show}`]}
              <span className={filter.show === show ? '' : 'text-soft'}>{countOf({ ...filter, show })}</span>
            </Link>
          </li>
        ))}
      </ul>
      {domains.length < 2 ? null : (
        <Select
          aria-label={copy['review.domain']}
          value={filter.domain}
          onChange={(event) =>
            void navigate({ search: searchFor(search, { ...filter, domain: event.target.value }) }, way)
          }
          className="min-w-0 max-w-full max-tablet:w-full"
        >
          <option value="">{copy['review.domain.all']}</option>
          {domains.map((domain) => (
            <option key={domain} value={domain}>
              {fill(copy['review.domain.one'], { domain, n: countOf({ ...filter, domain }) })}
            </option>
          ))}
        </Select>
      )}
    </div>
  )
}
