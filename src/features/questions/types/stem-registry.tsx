import { Markdown } from '../../../ui/markdown-text.tsx'
import { hasGaps } from './stem-words-registry.ts'

/** The stem of a question where nobody answers it: its gaps are numbered blanks. */
export function StemText({
  question,
  className,
}: {
  question: { readonly type: string | null; readonly stem: string }
  className?: string
}) {
  return (
    <Markdown
      text={question.stem}
      {...(className !== undefined && { className })}
      renderGap={hasGaps(question.type) ? blankOf : undefined}
    />
  )
}

/** A line to write on, with the number of its gap. */
function blankOf(number: number) {
  return (
    <span className="nums inline-block min-w-20 border-b border-line-strong px-1 text-center font-sans text-sm text-soft">
      <span className="sr-only">Gap </span>
      {number}
    </span>
  )
}
