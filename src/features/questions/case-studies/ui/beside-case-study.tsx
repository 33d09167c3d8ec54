import { useState, type ReactNode } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import type { CaseStudy, ShownCaseStudy } from '../case-study.schema.ts'
import { copy } from '../shown-case-study.copy.ts'
import { CaseStudyTabs, CaseStudyText } from './case-study-tabs.tsx'

/** Wider than this, a case study stands beside its question. The classes of the columns have it too. */
const COLUMN =
  'min-w-0 pt-6 min-[1100px]:sticky min-[1100px]:top-16 min-[1100px]:h-[calc(100dvh-4rem)] min-[1100px]:self-start min-[1100px]:py-10'

/** The case study of a question; undefined without one. */
export function caseStudyOf(
  caseStudies: readonly ShownCaseStudy[] | undefined,
  questionId: string | undefined,
): ShownCaseStudy | undefined {
  if (questionId === undefined) return undefined
  return caseStudies?.find(({ questionIds }) => questionIds.includes(questionId))
}

/** Which of the questions of its case study a question is. */
export function CaseStudyPosition({ caseStudy, questionId }: { caseStudy: ShownCaseStudy; questionId: string }) {
  const { questionIds } = caseStudy
  return (
    <p className="nums mt-1 text-sm text-soft">
      {fill(copy['case-study.position'], { n: questionIds.indexOf(questionId) + 1, total: questionIds.length })}
    </p>
  )
}

/**
 * The case study of the question beside it: a column with its own scrolling on wide screens, a button that opens it on narrow ones, and
 * text to unfold where no script runs.
 */
export function CaseStudyColumn({ caseStudy, className = COLUMN }: { caseStudy: CaseStudy; className?: string }) {
  const isHydrated = useHydrated()
  const [isOpen, setOpen] = useState(false)
  const title = fill(copy['case-study.title'], { title: caseStudy.title })
  if (!isHydrated)
    return (
      <div className={className}>
        <FoldedCaseStudy caseStudy={caseStudy} />
      </div>
    )
  return (
    <section aria-label={title} className={className}>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="min-h-11 w-full rounded-md border border-line-strong bg-surface px-4 py-2 text-left text-sm font-semibold text-accent hover:bg-sunken min-[1100px]:hidden"
      >
        {title}
      </button>
      <div className="hidden max-h-full min-h-0 flex-col rounded-lg border border-line bg-surface min-[1100px]:flex">
        <p className="px-4 pt-4 pb-1 font-semibold wrap-anywhere">{title}</p>
        <CaseStudyTabs caseStudy={caseStudy} className="flex-1 px-3" />
      </div>
      {isOpen ? (
        <Dialog title={title} isOpen place="sheet" onClose={() => setOpen(false)}>
          <CaseStudyTabs caseStudy={caseStudy} className="flex-1 px-4" />
        </Dialog>
      ) : null}
    </section>
  )
}

/** A case study that is unfolded by the browser, and on paper. */
export function FoldedCaseStudy({ caseStudy }: { caseStudy: CaseStudy }) {
  return (
    <details className="rounded-md border border-line-strong bg-surface print:[&::details-content]:[content-visibility:visible]">
      <summary className="min-h-11 cursor-pointer px-4 py-2.5 text-sm font-semibold text-accent">
        {fill(copy['case-study.title'], { title: caseStudy.title })}
      </summary>
      <div className="px-4 pb-4">
        <CaseStudyText caseStudy={caseStudy} />
      </div>
    </details>
  )
}

/** A question with its case study beside it, on pages whose own column is narrower than both. */
export function BesideCaseStudy({ caseStudy, children }: { caseStudy: CaseStudy | undefined; children: ReactNode }) {
  if (caseStudy === undefined) return children
  return (
    <div className="grid gap-x-10 min-[1100px]:ml-[calc(50%-min(700px,50vw-2rem))] min-[1100px]:w-[min(1400px,100vw-4rem)] min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <CaseStudyColumn key={caseStudy.id} caseStudy={caseStudy} />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
