import { CheckIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown.tsx'
import { LETTERS } from '../../../questions/schema.ts'

/** A question as it was read, with its key marked. */
export function ReadQuestion({
  stem,
  answers,
  explanation,
}: {
  stem: string
  answers: readonly { readonly text: string; readonly isRight: boolean }[]
  explanation: string
}) {
  return (
    <article className="min-w-0">
      <Markdown text={stem} className="text-lg" />
      <ol className="mt-4 space-y-2">
        {answers.map(({ text, isRight }, place) => (
          <li
            key={LETTERS[place] ?? place}
            className={`flex max-w-read gap-3 rounded-md border px-4 py-2.5 ${isRight ? 'border-good bg-good-soft' : 'border-line'}`}
          >
            <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
              {LETTERS[place]?.toUpperCase()}
            </span>
            <div className="min-w-0 grow">
              <Markdown text={text} as="phrasing" />
            </div>
            {isRight ? (
              <span className="flex items-center gap-1 self-start text-sm font-semibold text-good">
                <CheckIcon />
                Right
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      {explanation.trim() === '' ? null : (
        <div className="mt-6 max-w-read border-t border-line pt-4">
          <Markdown text={explanation} />
        </div>
      )}
    </article>
  )
}
