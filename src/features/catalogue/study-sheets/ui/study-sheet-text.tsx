import { fill } from '../../../../lib/failure.ts'
import { formatDay } from '../../../../lib/time.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { copy } from '../study-sheets.copy.ts'
import type { ShownSheet } from '../study-sheets.ts'

/** The text of a sheet with its sources. Lines of text stay short, tables use the whole column. */
export function StudySheetText({ sheet }: { sheet: ShownSheet }) {
  return (
    <article className="study-sheet min-w-0">
      {sheet.sections.map(({ id, title, text }) => (
        <section key={id} aria-labelledby={id} className="mt-10 first:mt-0 print:mt-0">
          <h2 id={id} tabIndex={-1} className="mb-3 scroll-mt-20 text-xl font-semibold">
            {title}
          </h2>
          <Markdown
            text={text}
            className="max-w-none [&>ol]:max-w-read [&>p]:max-w-read [&>ul]:max-w-read [&_li+li]:mt-2 print:[&>ol]:max-w-none print:[&>p]:max-w-none print:[&>ul]:max-w-none print:[&_li+li]:mt-0"
          />
        </section>
      ))}
      <Sources sources={sheet.sources} />
    </article>
  )
}

/** On paper only the state of the sheet: nobody types eight addresses. */
function Sources({ sources }: { sources: readonly string[] }) {
  return (
    <section aria-labelledby="sources-heading" data-print="off" className="mt-12 border-t border-line pt-6">
      <h2 id="sources-heading" className="text-sm font-semibold text-soft">
        {copy['sheet.sources']}
      </h2>
      <ul className="mt-2 space-y-1.5 text-sm">
        {sources.map((source) => (
          <li key={source}>
            <a href={source} target="_blank" rel="noreferrer" className="wrap-anywhere text-accent underline">
              {source.replace('https://', '')}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The guide that a sheet follows, and whether its facts were compared. Nothing is claimed that was not done. */
export function sheetState({ guide, verifiedOn }: Pick<ShownSheet, 'guide' | 'verifiedOn'>): string {
  const checked =
    verifiedOn === null ? copy['sheet.unverified'] : fill(copy['sheet.verified'], { day: formatDay(verifiedOn) })
  return `${fill(copy['sheet.guide'], { guide })} ${checked}`
}
