import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { LockIcon } from '../../../../ui/icons.tsx'
import { copy } from '../study-sheets.copy.ts'
import type { SheetSummary } from '../study-sheets.ts'

/** The study sheets of a course on its page. Everybody may open each: without access they see what is in it. */
export function StudySheetList({
  courseSlug,
  sheets,
  isOwned,
}: {
  courseSlug: string
  sheets: readonly SheetSummary[]
  isOwned: boolean
}) {
  if (sheets.length === 0) return null
  return (
    <section id="study-sheets" aria-labelledby="study-sheets-heading" className="mt-10 scroll-mt-20">
      <h2 id="study-sheets-heading" className="text-xl font-semibold">
        {copy['sheets.title']}
      </h2>
      <p className="mt-2 max-w-read text-soft">{copy['sheets.about']}</p>
      <ol className="mt-4 divide-y divide-line border-y border-line">
        {sheets.map(({ slug, domain, isFree }, place) => (
          <li key={slug} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
            <Link
              to={paths.studySheet(courseSlug, slug)}
              className="group flex min-h-8 min-w-0 gap-3 font-semibold text-accent"
            >
              <span className="nums w-5 shrink-0 font-normal text-soft">{place + 1}</span>
              <span className="underline underline-offset-2 group-hover:decoration-2">{domain}</span>
            </Link>
            {isOwned ? null : <SheetMark isFree={isFree} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

function SheetMark({ isFree }: { isFree: boolean }) {
  return isFree ? (
    <span className="rounded-sm bg-good-soft px-1.5 py-0.5 text-xs font-semibold text-good max-tablet:ml-8">
      {copy['sheets.free']}
    </span>
  ) : (
    <span className="flex items-center gap-2 text-sm text-soft max-tablet:ml-8">
      <LockIcon />
      {copy['sheets.locked']}
    </span>
  )
}
