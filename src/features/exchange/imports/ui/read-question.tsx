import { LetteredList } from '../../../../ui/lettered-list.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'

/** A question as it was read, with its right options marked. */
export function ReadQuestion({
  stem,
  options,
  explanation,
}: {
  stem: string
  options: readonly { readonly text: string; readonly isRight: boolean }[]
  explanation: string
}) {
  return (
    <article className="min-w-0">
      <Markdown text={stem} className="text-lg" />
      <div className="mt-4">
        <LetteredList items={options.map(({ text, isRight }) => ({ text, isMarked: isRight }))} mark="Right" />
      </div>
      {explanation.trim() === '' ? null : (
        <div className="mt-6 max-w-read border-t border-line pt-4">
          <Markdown text={explanation} />
        </div>
      )}
    </article>
  )
}
