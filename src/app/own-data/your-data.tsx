import { paths } from '../../lib/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { copy } from '../app.copy.ts'

const file = (format: 'json' | 'csv') => `/api/profiles/me/data?format=${format}`

/** Links to export the user's data and to delete the account. */
export function YourData({ headingClass = 'text-xl' }: { headingClass?: string }) {
  return (
    <section aria-labelledby="your-data" className="mt-12">
      <h2 id="your-data" className={`scroll-mt-20 font-semibold ${headingClass}`}>
        {copy['own-data.heading']}
      </h2>
      <p className="mt-2 max-w-read text-soft">{copy['own-data.intro']}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <ButtonLink to={file('json')} look="secondary" reloadDocument download>
          {copy['own-data.json']}
        </ButtonLink>
        <ButtonLink to={file('csv')} look="secondary" reloadDocument download>
          {copy['own-data.csv']}
        </ButtonLink>
        <ButtonLink to={paths.deleteAccount} look="quiet" className="-ml-4 sm:ml-0">
          {copy['own-data.delete']}
        </ButtonLink>
      </div>
    </section>
  )
}
