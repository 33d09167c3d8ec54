import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import type { CaseStudy } from '../case-study.schema.ts'
import { copy } from '../shown-case-study.copy.ts'

const MOVES: Readonly<Record<string, (place: number, count: number) => number>> = {
  ArrowRight: (place, count) => (place + 1) % count,
  ArrowLeft: (place, count) => (place - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * The tabs of a case study, by the pattern of the ARIA practices: one stop for Tab, arrows, Home and End between them.
 * @param onChoose makes `chosenId` the open tab, which is kept by the caller; without it the component keeps it
 */
export function CaseStudyTabs({
  caseStudy: { tabs },
  className = '',
  chosenId,
  onChoose,
}: {
  caseStudy: CaseStudy
  className?: string
  chosenId?: string | null
  onChoose?: (tabId: string) => void
}) {
  const [ownChoice, setOwnChoice] = useState<string | null>(null)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const place = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === (onChoose === undefined ? ownChoice : chosenId)),
  )
  const chosen = tabs[place]
  const choose = (at: number) => {
    const tab = tabs[at]
    if (tab !== undefined) (onChoose ?? setOwnChoice)(tab.id)
  }
  const handleKey = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    // The arrows of the exam go to the next question.
    event.stopPropagation()
    const next = move(place, tabs.length)
    choose(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className={`flex min-h-0 flex-col ${className}`}>
      <div
        ref={list}
        role="tablist"
        tabIndex={-1}
        aria-label={copy['case-study.tabs']}
        onKeyDown={handleKey}
        className="flex shrink-0 flex-wrap gap-x-1 border-b border-line"
      >
        {tabs.map((tab, at) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={tab === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => choose(at)}
            className="-mb-px min-h-11 border-b-2 border-transparent px-3 text-left text-sm font-medium wrap-anywhere text-soft hover:text-ink aria-selected:border-accent aria-selected:text-accent"
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        key={chosen?.id}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${place}`}
        tabIndex={0}
        className="min-h-0 overflow-y-auto overscroll-contain px-1 py-4"
      >
        <Markdown text={chosen?.body ?? ''} />
      </div>
    </div>
  )
}

/** All tabs one after the other: on paper, and where no script runs. */
export function CaseStudyText({ caseStudy }: { caseStudy: CaseStudy }) {
  return caseStudy.tabs.map((tab) => (
    <section key={tab.id} className="mt-4">
      <p className="text-sm font-semibold text-soft">{tab.title}</p>
      <Markdown text={tab.body} className="mt-1" />
    </section>
  ))
}
