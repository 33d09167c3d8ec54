import { fill } from '../../../../lib/failure.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import { answersHtml, letteredHtml, taskHtml } from '../parts/card-parts.ts'
import type { PartWriters } from '../type-formats.ts'
import { stepsOf } from './ordering-grading.ts'
import { copy } from './ordering.copy.ts'

/** The items by their texts: their stored order is the right one. */
export const writeOrderingCard: NonNullable<PartWriters<'ordering'>['anki']> = (question, htmlOf) => {
  const items = question.items.toSorted((one, other) => one.text.localeCompare(other.text))
  const count = question.orderedIds.length
  const task = copy[count === items.length ? 'exam.order' : 'exam.select']
  return {
    front: `${taskHtml(fill(task, { n: count, all: items.length }))}${letteredHtml(items.map(({ text }) => htmlOf(text)))}`,
    back: answersHtml(
      stepsOf(question).map(({ id, text }, place) => ({
        name: `${place + 1}. ${letterOfPart(items.findIndex((item) => item.id === id))}`,
        html: htmlOf(text),
      })),
    ),
  }
}
