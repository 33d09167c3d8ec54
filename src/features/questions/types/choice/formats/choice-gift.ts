import { escapeGift, giftParts, indexOfSign, splitAt } from '../../../formats/gift-syntax.ts'
import { lostPart } from '../../../formats/lost-parts.schema.ts'
import { reason } from '../../../questions.ts'
import type { BodyNotes, GiftBlock, PartReader, PartWriters, ReadParts } from '../../type-formats.ts'
import { isTruth, type ParsedChoice } from './choice-parsed.ts'

const TRUTH = /^(T|TRUE|F|FALSE)(?=\s*(?:#|$))/i

/** Options that begin with `=` or `~`, and true or false. */
export const giftChoice: PartReader<'choice', GiftBlock> = {
  takes: ({ content }) =>
    TRUTH.test(content) || (content !== '' && !content.startsWith('#') && indexOfSign(content, '~') !== -1),
  read: (block, notes) => (TRUTH.test(block.content) ? readTruth(block) : readOptions(block, notes)),
}

/** `{T#feedback when it was wrong#feedback when it was right}` */
function readTruth({ content, textOf }: GiftBlock): ReadParts<ParsedChoice> {
  const isTrue = /^t/i.test(content)
  const [, whenWrong = '', whenRight = ''] = splitAt(content, '#').map(textOf)
  const options = [
    { text: 'True', isRight: isTrue },
    { text: 'False', isRight: !isTrue },
  ]
  return { body: { type: 'choice', options }, each: isTrue ? [whenRight, whenWrong] : [whenWrong, whenRight] }
}

function readOptions({ content, textOf }: GiftBlock, notes: BodyNotes): ReadParts<ParsedChoice> {
  const parts = giftParts(content)
  const hasRight = parts.some(({ sign, weight }) => sign === '=' && weight === null)
  const each = parts.map(({ feedback }) => textOf(feedback))
  const options = parts.map(({ sign, weight, text }) => ({
    text: textOf(text),
    isRight: sign === '=' || (weight !== null && weight > 0 && (!hasRight || weight === 100)),
  }))
  const weights = parts.map(({ weight }) => weight ?? 0).filter((weight) => weight > 0)
  if (new Set(weights).size > 1 || (hasRight && weights.some((weight) => weight < 100)))
    notes.lost.push(lostPart('credit'))
  // GIFT takes any one of them; here all of them are asked for.
  const full = parts.filter(({ sign, weight }) => sign === '=' && weight === null)
  if (full.length > 1)
    notes.reasons.push(reason('key-uncertain', 'final_answer', 'any one of several is enough in the file', notes.line))
  return { body: { type: 'choice', options }, each }
}

export const writeGiftChoice: NonNullable<PartWriters<'choice'>['gift']> = ({ options }, each) => {
  if (isTruth(options)) return writeTruth(options, each)
  const right = options.filter(({ isRight }) => isRight).length
  const lines = options.map(({ text, isRight }, place) => {
    const feedback = each[place] ? ` #${escapeGift(each[place])}` : ''
    return `  ${markOf(isRight, right)}${escapeGift(text)}${feedback}\n`
  })
  return lines.join('')
}

function writeTruth(options: readonly { readonly isRight: boolean }[], each: readonly string[]): string {
  const isTrue = options[0]?.isRight === true
  const [whenRight = '', whenWrong = ''] = isTrue ? each : each.toReversed()
  const feedback = whenRight + whenWrong === '' ? '' : ` #${escapeGift(whenWrong)} #${escapeGift(whenRight)}`
  return `  ${isTrue ? 'TRUE' : 'FALSE'}${feedback}\n`
}

/** With several right answers, a wrong one takes away as much as a right one gives. */
function markOf(isRight: boolean, right: number): string {
  if (right === 1) return isRight ? '=' : '~'
  const weight = (100 / right).toFixed(5).replace(/\.?0+$/, '')
  return `~%${isRight ? '' : '-'}${weight}%`
}
