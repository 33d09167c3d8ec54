import { fill } from '../../../../../lib/failure.ts'
import { answersHtml, letteredHtml, taskHtml } from '../../parts/card-parts.ts'
import type { PartWriters } from '../../type-formats.ts'
import { choiceCount } from '../choice-grading.ts'
import { upperLetterAt } from '../choice-letters.ts'
import { copy } from '../choice.copy.ts'

export const writeChoiceCard: NonNullable<PartWriters<'choice'>['anki']> = (question, htmlOf) => {
  const html = question.options.map(({ text }) => htmlOf(text))
  const count = choiceCount(question)
  return {
    front: `${count > 1 ? taskHtml(fill(copy['exam.choose'], { n: count })) : ''}${letteredHtml(html)}`,
    back: answersHtml(
      question.options.flatMap(({ isRight }, place) =>
        isRight ? [{ name: upperLetterAt(place), html: html[place] ?? '' }] : [],
      ),
    ),
  }
}
