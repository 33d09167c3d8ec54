import { use, type ReactNode } from 'react'
import { Link } from 'react-router'
import { FrameTool } from '../../../../ui/frame-tool.ts'
import { CloseIcon } from '../../../../ui/icons.tsx'
import { Heading } from '../../../../ui/page-parts.tsx'
import { copy } from '../../attempts.copy.ts'

/** The frame of an exam, without the shop's navigation: the titles, a link back, and the exam's tools at the right. */
export function ExamFrame({
  title,
  subtitle,
  backTo,
  tools,
  isWide = false,
  children,
}: {
  title: string
  subtitle: string
  backTo: string
  tools?: ReactNode
  /** As wide as a question beside its case study. */
  isWide?: boolean
  children: ReactNode
}) {
  const tool = use(FrameTool)
  // On a phone the clock and the button are in the first line, and the title in the second.
  const titleClass =
    tools === undefined ? 'flex-1' : 'order-last basis-full tablet:order-none tablet:flex-1 tablet:basis-auto'
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-30 border-b border-line bg-surface">
        <div
          className={`relative mx-auto flex min-h-16 max-w-[1160px] items-center gap-x-3 px-4 py-2 tablet:flex-nowrap tablet:px-6 ${isWide ? 'min-[1100px]:max-w-[1680px]' : ''} ${tools === undefined ? '' : 'flex-wrap'}`}
        >
          <Link
            to={backTo}
            aria-label={copy['exam.leave']}
            title={copy['exam.leave']}
            className="-ml-3 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink"
          >
            <CloseIcon />
          </Link>
          <div className={`min-w-0 ${titleClass}`}>
            <Heading className="truncate text-base font-semibold">{title}</Heading>
            <p className="truncate text-xs text-soft">{subtitle}</p>
          </div>
          <div className="ml-auto flex shrink-0 items-center gap-x-2 tablet:gap-x-3">
            {tool}
            {tools}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 focus:outline-none">
        {children}
      </main>
    </div>
  )
}
