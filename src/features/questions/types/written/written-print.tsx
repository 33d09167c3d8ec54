import { copy } from './written.copy.ts'

/** A line to write on. @param unit stands behind it */
export function PrintedLine({ unit = '' }: { unit?: string }) {
  return (
    <p className="mt-3 flex items-end gap-3">
      <span className="text-sm font-semibold">{copy['print.answer']}</span>
      <span aria-hidden="true" className="h-7 max-w-80 flex-1 border-b border-line-strong" />
      {unit === '' ? null : <span>{unit}</span>}
    </p>
  )
}
