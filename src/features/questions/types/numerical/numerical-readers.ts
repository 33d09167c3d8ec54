import { giftParts, indexOfSign, splitAt, unescaped } from '../../formats/gift-syntax.ts'
import { lostPart } from '../../formats/lost-parts.schema.ts'
import { allOf, childOf, childrenOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { BLANK, withPlainBlank } from '../../formats/blank.ts'
import { loneGap, withClozeGaps } from '../../formats/moodle/moodle-cloze.ts'
import { textOfGap, withText, writtenText } from '../../formats/moodle/moodle-text.ts'
import { reason } from '../../questions.ts'
import type {
  BodyNotes,
  GiftBlock,
  MoodleQuestion,
  PartReader,
  QtiItem,
  QtiOneItem,
  ReadParts,
} from '../type-formats.ts'
import type { ParsedNumerical } from './numerical-formats.ts'
import { middleOf, percentOf, printDecimal, readDecimal } from './decimal-numbers.ts'

/** A number with its share of the points. */
type Credited = {
  readonly value: string
  readonly tolerance: string
  readonly percent: number
  readonly feedback: string
}

/** The number that gives most. Others that give as much make the key uncertain; those that give less are partial credit. */
function bestOf(numbers: readonly Credited[], notes: BodyNotes): Credited {
  const most = Math.max(0, ...numbers.map(({ percent }) => percent))
  const [best, ...others] = numbers.filter(({ percent }) => percent === most && percent > 0)
  const also = others.map(({ value }) => value).join(', ')
  if (also !== '') notes.reasons.push(reason('key-uncertain', 'final_answer', `${also} is right too`, notes.line))
  if (numbers.some(({ percent }) => percent > 0 && percent < most)) notes.lost.push(lostPart('credit'))
  if (numbers.some((number) => number !== best && number.feedback.trim() !== ''))
    notes.lost.push(lostPart('field', 'feedback'))
  return best ?? { value: '', tolerance: '0', percent: 0, feedback: '' }
}

/** `{#42:0.5}`, `{#1..2}`, or several of these behind `=` with their weights. */
export const giftNumerical: PartReader<'numerical', GiftBlock> = {
  takes: ({ content }) => content.startsWith('#'),
  read({ content, textOf }, notes) {
    const written = content.slice(1).trim()
    const best = bestOf(
      /^[=~]/.test(written) || indexOfSign(written, '=') !== -1
        ? giftParts(written).map(({ sign, weight, text, feedback }) => ({
            ...rangeOf(text),
            percent: weight ?? (sign === '=' ? 100 : 0),
            feedback,
          }))
        : [loneNumber(written)],
      notes,
    )
    const { value, tolerance } = best
    return { body: { type: 'numerical', value, tolerance, unit: '' }, each: [textOf(best.feedback)] }
  },
}

function loneNumber(written: string): Credited {
  const [number = '', ...feedback] = splitAt(written, '#')
  return { ...rangeOf(number), percent: 100, feedback: feedback.join('#') }
}

/** `42`, `42:0.5` or `1..2`. What is none of these is kept as it is, and refused as no number. */
function rangeOf(written: string): { value: string; tolerance: string } {
  const text = unescaped(written).trim()
  const [low, high, more] = text.split('..')
  if (low !== undefined && high !== undefined && more === undefined) {
    const [one, other] = [readDecimal(low), readDecimal(high)]
    if (one === null || other === null) return { value: text, tolerance: '0' }
    const { value, tolerance } = middleOf(one, other)
    return { value: printDecimal(value), tolerance: printDecimal(tolerance) }
  }
  const [value = '', tolerance = '0'] = text.split(':')
  return { value: value.trim(), tolerance: tolerance.trim() }
}

/** Moodle's type `numerical`, and `cloze` with one number to write. The unit is the first that does not change the number. */
export const moodleNumerical: PartReader<'numerical', MoodleQuestion> = {
  takes: ({ type, root }) =>
    type === 'numerical' || (type === 'cloze' && loneGap(writtenText(root))?.kind === 'number'),
  read(source, notes) {
    const { type, root, markdownOf } = source
    if (type === 'cloze') return readCloze(source, notes)
    const numbers = childrenOf(root, 'answer').map((element) => ({
      value: textIn(childOf(element, 'text')).trim(),
      tolerance: textIn(childOf(element, 'tolerance')).trim() || '0',
      percent: Number(element.attributes['fraction'] ?? '0') || 0,
      feedback: markdownOf(childOf(element, 'feedback')),
    }))
    const { value, tolerance, feedback } = bestOf(numbers, notes)
    const units = childrenOf(childOf(root, 'units'), 'unit')
    const own = units.find((unit) => Number(textIn(childOf(unit, 'multiplier')) || '1') === 1)
    if (units.length > 1) notes.lost.push(lostPart('field', 'units'))
    return { body: { type: 'numerical', value, tolerance, unit: textIn(childOf(own, 'unit_name')) }, each: [feedback] }
  },
}

function readCloze({ root, markdownOf }: MoodleQuestion, notes: BodyNotes): ReadParts<ParsedNumerical> {
  const text = writtenText(root)
  // An asterisk is any other number, with feedback for it.
  const answers = loneGap(text)?.answers ?? []
  const { value, tolerance, feedback } = bestOf(
    answers.map((answer) => ({ ...rangeOf(answer.text), percent: answer.percent, feedback: answer.feedback })),
    notes,
  )
  return {
    body: { type: 'numerical', value, tolerance, unit: '' },
    each: [markdownOf(textOfGap(root, feedback))],
    stem: withPlainBlank(
      markdownOf(
        withText(
          root,
          withClozeGaps(text, () => BLANK),
        ),
      ),
    ),
  }
}

/** QTI 2 and 3: a `textEntryInteraction` for a number. The tolerance is that of `equal` in the response processing. */
export const qtiNumerical: PartReader<'numerical', QtiItem> = {
  takes: ({ interactions, response }) =>
    interactions.length === 1 &&
    interactions[0]?.name === 'textEntryInteraction' &&
    /^(?:float|integer)$/.test(response?.attributes['baseType'] ?? ''),
  read({ response, processing }, notes) {
    const mapped = allOf(childOf(response, 'mapping'), 'mapEntry').map(({ attributes }) => ({
      value: attributes['mapKey'] ?? '',
      tolerance: '0',
      percent: Number(attributes['mappedValue'] ?? '0') || 0,
      feedback: '',
    }))
    const correct = textIn(childOf(response, 'correctResponse', 'value')).trim()
    const { value } = correct === '' ? bestOf(mapped, notes) : { value: correct }
    return { body: { type: 'numerical', value, tolerance: toleranceOf(processing, value, notes), unit: '' }, each: [] }
  },
}

function toleranceOf(processing: XmlElement | undefined, value: string, notes: BodyNotes): string {
  const equal = allOf(processing, 'equal').find(({ attributes }) => 'tolerance' in attributes)
  const [below = '0', above = below] = (equal?.attributes['tolerance'] ?? '').split(/\s+/).filter((one) => one !== '')
  if (below !== above)
    notes.reasons.push(reason('key-uncertain', 'final_answer', `the tolerance is ${below} or ${above}`, notes.line))
  const [number, percent] = [readDecimal(value), readDecimal(below)]
  const isRelative = equal?.attributes['toleranceMode'] === 'relative'
  return isRelative && number !== null && percent !== null ? printDecimal(percentOf(number, percent)) : below
}

/** QTI 1: a `response_num`, or a `response_str` for a number. Bounds count where there are some, as Canvas writes them beside the value. */
export const qtiOneNumerical: PartReader<'numerical', QtiOneItem> = {
  takes: ({ lists, writes: [write, ...others], other, comparisons }) =>
    write !== undefined &&
    lists.length + others.length === 0 &&
    other === undefined &&
    comparisons.length > 0 &&
    isNumber(write),
  read({ comparisons }, notes) {
    const most = Math.max(...comparisons.map(({ points }) => points))
    if (comparisons.some(({ points }) => points < most)) notes.lost.push(lostPart('credit'))
    const best = comparisons.filter(({ points }) => points === most)
    const valueOf = (by: RegExp) => best.find((comparison) => by.test(comparison.by))?.value
    const [value = '', low, high] = [valueOf(/^varequal$/), valueOf(/^vargte?$/), valueOf(/^varlte?$/)]
    if (best.some(({ by }) => /^var[gl]t$/.test(by)))
      notes.reasons.push(reason('key-uncertain', 'final_answer', 'a bound itself is wrong in the file', notes.line))
    const range = low === undefined || high === undefined ? { value, tolerance: '0' } : rangeOf(`${low}..${high}`)
    return { body: { type: 'numerical', ...range, unit: '' }, each: [] }
  },
}

function isNumber(write: XmlElement): boolean {
  const kinds = allOf(write, 'render_fib').map(({ attributes }) => attributes['fibtype'] ?? '')
  return write.name === 'response_num' || kinds.some((kind) => /^(?:decimal|integer|scientific)$/i.test(kind))
}
