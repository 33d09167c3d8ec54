import { Link, useLoaderData, type MetaFunction } from 'react-router'
import { copy } from '../../features/catalogue/study-sheets/study-sheets.copy.ts'
import type { ShownSheet } from '../../features/catalogue/study-sheets/study-sheets.ts'
import { sheetState, StudySheetText } from '../../features/catalogue/study-sheets/ui/study-sheet-text.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { LockIcon } from '../../ui/icons.tsx'
import { Breadcrumb, Heading, Page } from '../../ui/page-parts.tsx'
import { describePage } from '../layout/page-meta.ts'
import type { studySheetLoader } from '../page-loaders.server.ts'

export { studySheetLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction<typeof studySheetLoader> = ({ data, matches }) => {
  if (data === undefined) return []
  const { course, sheet } = data
  return describePage(matches, {
    title: `${sheet.domain}: ${course.title}`,
    description: `${copy['sheets.title']}: ${sheet.domain}, ${course.title}`,
    path: paths.studySheet(course.slug, sheet.slug),
  })
}

type SheetPage = Awaited<ReturnType<typeof studySheetLoader>>

/** One domain of the exam guide on two printed pages. */
export default function StudySheetPage() {
  const data = useLoaderData<typeof studySheetLoader>()
  const { course, sheet, list } = data
  return (
    <Page>
      <Breadcrumb
        ways={[
          { to: paths.home, label: 'Courses' },
          { to: paths.course(course.slug), label: course.title },
        ]}
        here={copy['sheets.title']}
      />
      <div className="mt-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-b border-line pb-6 print:mt-0 print:pb-2">
        <div className="min-w-0 max-w-read">
          <p className="nums text-sm font-semibold text-soft">
            {fill(copy['sheet.place'], { place: sheet.place, n: list.length })}
            <span className="hidden print:inline">, {course.title}</span>
          </p>
          <Heading className="mt-1 text-2xl font-semibold tablet:text-3xl print:text-xl">{sheet.domain}</Heading>
          <p className="mt-2 text-sm text-soft">{sheetState(sheet)}</p>
        </div>
        {sheet.isOpen ? (
          <Button look="secondary" data-print="off" onClick={() => print()}>
            {copy['sheet.print']}
          </Button>
        ) : null}
      </div>
      <div className="mt-8 grid gap-x-12 gap-y-8 desktop:grid-cols-[1fr_240px] print:mt-3 print:block">
        {sheet.isOpen ? <SheetContents sheet={sheet} /> : null}
        <div className="min-w-0 desktop:col-start-1 desktop:row-start-1">
          {sheet.isOpen ? <StudySheetText sheet={sheet} /> : <LockedSheet data={data} />}
        </div>
      </div>
      <SheetWays data={data} />
    </Page>
  )
}

/** Before the text on small screens, beside it on wide ones. */
function SheetContents({ sheet }: { sheet: ShownSheet }) {
  return (
    <nav
      aria-labelledby="here-heading"
      className="h-fit rounded-lg border border-line bg-surface p-5 desktop:sticky desktop:top-24 desktop:col-start-2 desktop:row-start-1"
    >
      <h2 id="here-heading" className="text-sm font-semibold text-soft">
        {copy['sheet.here']}
      </h2>
      <ol className="mt-2">
        {sheet.sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-flex min-h-8 items-center text-sm hover:underline">
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** What is in a sheet, for those who do not have it. */
function LockedSheet({ data: { course, sheet, list, access } }: { data: SheetPage }) {
  const first = list[0]
  return (
    <section aria-labelledby="locked-heading" className="max-w-read">
      <h2 id="locked-heading" className="flex items-center gap-3 text-xl font-semibold">
        <LockIcon />
        {copy['sheet.locked.title']}
      </h2>
      <p className="mt-3">{copy[access === 'ended' ? 'sheet.ended' : 'sheet.locked']}</p>
      <ul className="mt-3 list-disc space-y-1 pl-6">
        {sheet.sections.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={paths.course(course.slug)}>{copy['sheet.locked.course']}</ButtonLink>
        {first === undefined ? null : (
          <ButtonLink look="secondary" to={paths.studySheet(course.slug, first.slug)}>
            {copy['sheet.locked.first']}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

/** The sheets before and after this one. */
function SheetWays({ data: { course, sheet, list } }: { data: SheetPage }) {
  const ways = [
    { label: copy['sheet.previous'], to: list[sheet.place - 2], look: 'text-left' },
    { label: copy['sheet.next'], to: list[sheet.place], look: 'text-right ml-auto' },
  ]
  return (
    <nav aria-label={copy['sheet.others']} className="mt-12 flex flex-wrap gap-4 border-t border-line pt-6">
      {ways.map(({ label, to, look }) =>
        to === undefined ? null : (
          <Link key={label} to={paths.studySheet(course.slug, to.slug)} className={`group min-h-11 max-w-sm ${look}`}>
            <span className="block text-sm text-soft">{label}</span>
            <span className="font-semibold text-accent underline underline-offset-2">{to.domain}</span>
          </Link>
        ),
      )}
    </nav>
  )
}
