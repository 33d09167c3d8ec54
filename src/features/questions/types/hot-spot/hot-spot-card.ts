import { fill } from '../../../../lib/failure.ts'
import { answersHtml, letteredHtml, taskHtml } from '../parts/card-parts.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { PartWriters } from '../type-formats.ts'
import { rightAreaIds } from './hot-spot-grading.ts'
import { copy } from './hot-spot.copy.ts'
import type { Area, HotSpotQuestion } from './hot-spot.schema.ts'

/** The image with a letter in the middle of each area, and the names of the areas below it. */
export const writeHotSpotCard: NonNullable<PartWriters<'hot-spot'>['anki']> = (question, htmlOf) => {
  const { areas, image } = question
  const right = rightAreaIds(question)
  const task = copy[right.length > 1 ? 'exam.task.many' : 'exam.task']
  const letters = areas.map((area, place) => letterHtml(area, letterOfPart(place), question)).join('')
  return {
    front: [
      taskHtml(fill(task, { n: right.length })),
      `<div style="position:relative;display:inline-block">${htmlOf(image)}${letters}</div>`,
      letteredHtml(areas.map(({ text }) => htmlOf(text))),
    ].join(''),
    back: answersHtml(
      areas.flatMap(({ id, text }, place) =>
        right.includes(id) ? [{ name: letterOfPart(place), html: htmlOf(text) }] : [],
      ),
    ),
  }
}

function letterHtml(area: Area, letter: string, { width, height }: HotSpotQuestion): string {
  const [x, y] = middleOf(area)
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`
  return `<b class="area" style="position:absolute;left:${percent(x / width)};top:${percent(y / height)}">${letter}</b>`
}

function middleOf({ shape, numbers }: Area): [number, number] {
  if (shape === 'circle') return [numbers[0] ?? 0, numbers[1] ?? 0]
  const middle = (along: readonly number[]) => (Math.min(...along) + Math.max(...along)) / 2
  return [middle(numbers.filter((_, at) => at % 2 === 0)), middle(numbers.filter((_, at) => at % 2 === 1))]
}
