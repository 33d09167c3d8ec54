import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { xmlText } from '../../formats/markup/xml-tree.ts'
import { answersHtml, letteredHtml, taskHtml } from '../parts/card-parts.ts'
import type { PartWriters } from '../type-formats.ts'
import { copy as editCopy } from './drop-down-edit.copy.ts'
import { rightOf } from './drop-down-grading.ts'
import { copy } from './drop-down.copy.ts'

/** The text keeps its marks `[[1]]`; the choices of each gap are below it. */
export const writeDropDownCard: NonNullable<PartWriters<'drop-down'>['anki']> = ({ gaps }, htmlIn) => {
  // A choice may be an asterisk, which is Markdown for an empty list.
  const htmlOf = (text: string) => (plainText(text) === '' ? xmlText(text) : htmlIn(text))
  return {
    front: [
      taskHtml(fill(copy[gaps.length === 1 ? 'exam.task.one' : 'exam.task'], { n: gaps.length })),
      ...gaps.map(
        ({ options }, at) =>
          `<p>${fill(editCopy['print.gap'], { n: at + 1 })}</p>${letteredHtml(options.map(({ text }) => htmlOf(text)))}`,
      ),
    ].join(''),
    back: answersHtml(gaps.map((gap, at) => ({ name: `[[${at + 1}]]`, html: htmlOf(rightOf(gap).text) }))),
  }
}
