import { CheckIcon } from './icons.tsx'
import { Markdown } from './markdown-text.tsx'

const A = 'A'.charCodeAt(0)

/** Texts lettered from A. Marked ones have a word, an icon and a color. */
export function LetteredList({
  items,
  mark,
}: {
  items: readonly { readonly text: string; readonly isMarked: boolean }[]
  mark: string
}) {
  return (
    <ol className="space-y-2">
      {items.map(({ text, isMarked }, place) => (
        // Texts have no ids.
        <li
          key={place}
          className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${isMarked ? 'border-good bg-good-soft' : 'border-line'}`}
        >
          <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
            {String.fromCharCode(A + place)}
          </span>
          <div className="min-w-0 grow">
            <Markdown text={text} as="phrasing" />
          </div>
          {isMarked ? (
            <span className="flex items-center gap-1 self-start text-sm font-semibold text-good">
              <CheckIcon />
              {mark}
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  )
}
