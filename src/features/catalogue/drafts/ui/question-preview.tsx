import { CheckIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown.tsx'
import { LETTERS } from '../../../questions/schema.ts'

/** A question as learners see it, with its key marked. */
export function QuestionPreview({
  title,
  question,
}: {
  title: string
  question: {
    readonly stem: string
    readonly answers: readonly { readonly text: string; readonly isRight: boolean }[]
    readonly explanation: string
  }
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="text-sm font-semibold text-soft">{title}</h2>
      <Markdown text={question.stem} className="mt-3 text-lg" />
      <ul className="mt-4 space-y-2">
        {question.answers.map(({ text, isRight }, place) => (
          <li
            key={LETTERS[place]}
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
      </ul>
      {question.explanation.trim() === '' ? null : (
        <div className="mt-6 border-t border-line pt-4">
          <Markdown text={question.explanation} />
        </div>
      )}
    </section>
  )
}
