import { StemText } from '../../../questions/types/stem-registry.tsx'
import { PartsPreview } from '../../../questions/types/editor-registry.tsx'
import type { EditedQuestion } from '../../../questions/types/question-edit.schema.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'

/** A question as it was read, with its answer key marked. */
export function ReadQuestion({ question }: { question: EditedQuestion }) {
  const { explanation } = question
  return (
    <article className="min-w-0">
      <StemText question={question} className="text-lg" />
      <div className="mt-4">
        <PartsPreview edited={question} hidesEmpty />
      </div>
      {explanation.trim() === '' ? null : (
        <div className="mt-6 max-w-read border-t border-line pt-4">
          <Markdown text={explanation} />
        </div>
      )}
    </article>
  )
}
