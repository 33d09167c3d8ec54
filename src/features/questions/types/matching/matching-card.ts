import { fill } from '../../../../lib/failure.ts'
import { answersHtml, letteredHtml, taskHtml } from '../parts/card-parts.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { PartWriters } from '../type-formats.ts'
import { byText } from './matching-content.ts'
import { copy } from './matching.copy.ts'

/** The options by their texts, because the order of the author may be that of the prompts. */
export const writeMatchingCard: NonNullable<PartWriters<'matching'>['anki']> = (question, htmlOf) => {
  const { prompts, isReusable } = question
  const options = byText(question.options)
  const asked = prompts.map(({ text }) => `<li>${htmlOf(text)}</li>`).join('')
  return {
    front: [
      taskHtml(fill(copy[isReusable ? 'exam.often' : 'exam.once'], { n: prompts.length })),
      `<ol>${asked}</ol>`,
      letteredHtml(options.map(({ text }) => htmlOf(text))),
    ].join(''),
    back: answersHtml(
      prompts.map(({ optionId }, place) => {
        const at = options.findIndex(({ id }) => id === optionId)
        return { name: `${place + 1}. ${letterOfPart(at)}`, html: htmlOf(options[at]?.text ?? '') }
      }),
    ),
  }
}
