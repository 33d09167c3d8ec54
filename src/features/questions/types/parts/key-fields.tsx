import type { ReactNode } from 'react'
import { Markdown } from '../../../../ui/markdown-text.tsx'

/** The controls that choose another answer key, with the problem that they have. */
export function KeyFields({
  legend,
  problem,
  children,
}: {
  legend: string
  problem: string | undefined
  children: ReactNode
}) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">{legend}</legend>
      {children}
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

/** A part that can be a right one. */
export function KeyOption({
  text,
  letter,
  isMultiple,
  isSelected,
  former,
  onSelect,
}: {
  text: string
  letter: string
  isMultiple: boolean
  isSelected: boolean
  /** What says that it was right until now; null if it was not. */
  former: string | null
  onSelect: () => void
}) {
  return (
    <label className="flex gap-3 rounded-md border border-line px-4 py-2.5 has-checked:border-good has-checked:bg-good-soft">
      <input
        type={isMultiple ? 'checkbox' : 'radio'}
        name="right"
        checked={isSelected}
        onChange={onSelect}
        className="mt-0.5 size-5 shrink-0 checked:border-good checked:before:bg-good"
      />
      <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
        {letter}
      </span>
      <span className="min-w-0">
        <Markdown text={text} as="phrasing" />
        {former === null ? null : <span className="mt-1 block text-sm font-semibold text-soft">{former}</span>}
      </span>
    </label>
  )
}
