import { LETTERS, optionField } from '../choice-letters.ts'
import { reason } from '../../../questions.ts'
import type { PartReader, PartWriters, TableRow, UdemyRow } from '../../type-formats.ts'
import { CHOICE_COLUMNS } from './choice-fields.ts'
import { choiceOfNames, rightCount } from './choice-parsed.ts'
import { readWrittenKey } from './choice-written-key.ts'

/** A row with the columns `answer_a` to `answer_l` and `final_answer`. */
export const rowChoice: PartReader<'choice', TableRow> = {
  takes: ({ cell }) => CHOICE_COLUMNS.some((column) => cell(column).trim() !== ''),
  read({ cell }, notes) {
    const texts = LETTERS.map((letter) => cell(optionField(letter)))
    const count = texts.findLastIndex((text) => text.trim() !== '') + 1
    const options = texts.slice(0, count).map((text) => ({ text, isRight: false }))
    return { body: readWrittenKey(options, cell('final_answer'), notes), each: [] }
  },
}

const TYPES = new Set(['', 'multiple-choice', 'multi-select', 'true-false'])

export const udemyChoice: PartReader<'choice', UdemyRow> = {
  takes: ({ type }) => TYPES.has(type),
  read({ written, type, options, right }, notes) {
    const named = options.map((text, place) => ({ name: String(place + 1), text }))
    const body = choiceOfNames(named, right)
    if (type === 'multiple-choice' && rightCount(body) > 1)
      notes.reasons.push(reason('type-contradicts-key', '', written, notes.line))
    return { body, each: [] }
  },
}

export const writeUdemyChoice: NonNullable<PartWriters<'choice'>['udemy-csv']> = ({ options }) => {
  const right = options.flatMap(({ isRight }, place) => (isRight ? [place + 1] : []))
  return {
    type: right.length > 1 ? 'multi-select' : 'multiple-choice',
    options: options.map(({ text }) => text),
    right: right.join(','),
  }
}
