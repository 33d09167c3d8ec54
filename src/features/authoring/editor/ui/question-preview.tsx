import { LetteredList } from '../../../../ui/lettered-list.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'

/** A question as learners see it, with its key marked. */
export function QuestionPreview({
  title,
  question,
}: {
  title: string
  question: {
    readonly stem: string
    readonly options: readonly { readonly text: string; readonly isRight: boolean }[]
    readonly explanation: string
  }
}) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="text-sm font-semibold text-soft">{title}</h2>
      <Markdown text={question.stem} className="mt-3 text-lg" />
      <div className="mt-4">
        <LetteredList items={question.options.map(({ text, isRight }) => ({ text, isMarked: isRight }))} mark="Right" />
      </div>
      {question.explanation.trim() === '' ? null : (
        <div className="mt-6 border-t border-line pt-4">
          <Markdown text={question.explanation} />
        </div>
      )}
    </section>
  )
}
