import { lostPart } from '../../../formats/lost-parts.schema.ts'
import { childOf, childrenOf, textIn, type XmlElement } from '../../../formats/markup/xml-tree.ts'
import { BLANK, withPlainBlank } from '../../../formats/blank.ts'
import { loneGap, withClozeGaps } from '../../../formats/moodle/moodle-cloze.ts'
import { textOfGap, withText, writtenText } from '../../../formats/moodle/moodle-text.ts'
import { htmlInGap, isCarriedByGap } from '../../../formats/moodle/written-gap.ts'
import { reason } from '../../../questions.ts'
import type { BodyNotes, MoodleQuestion, MoodleTexts, PartReader, PartWriters, ReadParts } from '../../type-formats.ts'
import { isTruth, type ParsedChoice, type ParsedOption } from './choice-parsed.ts'

/** `multichoice` and `truefalse`: options with the fraction of the points that each gives. Also `cloze` whose only gap has options. */
export const moodleChoice: PartReader<'choice', MoodleQuestion> = {
  takes: ({ type, root }) =>
    type === 'multichoice' || type === 'truefalse' || (type === 'cloze' && hasOptions(writtenText(root))),
  read(source, notes) {
    const { type, root, markdownOf } = source
    if (type === 'cloze') return readCloze(source, notes)
    const elements = childrenOf(root, 'answer')
    const texts = elements.map((element) => {
      const text = markdownOf(element)
      return type === 'truefalse' ? text.charAt(0).toUpperCase() + text.slice(1) : text
    })
    const isSingle = type === 'truefalse' || isTrue(childOf(root, 'single'))
    const fractions = elements.map(({ attributes }) => Number(attributes['fraction'] ?? '0') || 0)
    const options = withFractions(texts, fractions, isSingle, notes)
    const each = elements.map((element) => markdownOf(childOf(element, 'feedback')))
    const isKept = type === 'multichoice' && /^(?:0|false)$/.test(textIn(childOf(root, 'shuffleanswers')).trim())
    return { body: { type: 'choice', options, ...(isKept && { order: 'fixed' }) }, each }
  },
}

const OPTIONS: ReadonlySet<string> = new Set(['options', 'several'])

function hasOptions(text: string): boolean {
  return OPTIONS.has(loneGap(text)?.kind ?? '')
}

function readCloze({ root, markdownOf }: MoodleQuestion, notes: BodyNotes): ReadParts<ParsedChoice> {
  const text = writtenText(root)
  const gap = loneGap(text)
  const markdown = (html: string) => markdownOf(textOfGap(root, html))
  const answers = gap?.answers ?? []
  const options = withFractions(
    answers.map((answer) => markdown(answer.text)),
    answers.map(({ percent }) => percent),
    gap?.kind === 'options',
    notes,
  )
  const stem = markdownOf(
    withText(
      root,
      withClozeGaps(text, () => BLANK),
    ),
  )
  return {
    body: { type: 'choice', options, ...(gap?.isShuffled === false && { order: 'fixed' }) },
    each: answers.map(({ feedback }) => markdown(feedback)),
    stem: withPlainBlank(stem),
  }
}

function withFractions(
  texts: readonly string[],
  fractions: readonly number[],
  isSingle: boolean,
  notes: BodyNotes,
): ParsedOption[] {
  const most = Math.max(0, ...fractions)
  const options = texts.map((text, place) => {
    const fraction = fractions[place] ?? 0
    return { text, isRight: isSingle ? fraction > 0 && fraction === most : fraction > 0 }
  })
  const right = fractions.filter((_, place) => options[place]?.isRight)
  if (isSingle && right.length > 1) notes.reasons.push(reason('type-contradicts-key', '', 'single', notes.line))
  if (isSingle && most > 0 && most < 100)
    notes.reasons.push(reason('key-uncertain', 'final_answer', `the best answer gives ${most}%`, notes.line))
  const isPartial = fractions.some((fraction, place) => fraction > 0 && !options[place]?.isRight)
  if (isPartial || new Set(right).size > 1) notes.lost.push(lostPart('credit'))
  return options
}

function isTrue(element: XmlElement | undefined): boolean {
  return /^(?:1|true)$/.test(textIn(element).trim())
}

export const writeMoodleChoice: NonNullable<PartWriters<'choice'>['moodle-xml']> = (
  { options, order },
  each,
  texts,
) => {
  if (isTruth(options) && order !== 'fixed') return writeTruth(options, each, texts)
  const right = options.filter(({ isRight }) => isRight).length
  const wrong = options.length - right
  const parts = options.map(({ text, isRight }, place) => {
    const fraction = fractionOf(isRight, right, wrong)
    const feedback = texts.elementXml('feedback', each[place] ?? '')
    return `    <answer fraction="${fraction}" format="markdown">${texts.textXml(text)}${feedback}</answer>\n`
  })
  return {
    type: 'multichoice',
    settings: `    <single>${right === 1}</single>\n    <shuffleanswers>${order !== 'fixed'}</shuffleanswers>\n    <answernumbering>ABCD</answernumbering>\n`,
    parts: parts.join(''),
  }
}

/** Options below each other; one that stays last has no place in a gap. */
export const writeChoiceGap: NonNullable<PartWriters<'choice'>['moodle-gap']> = ({ options, order }) => {
  if ((order !== undefined && order !== 'fixed') || !options.every(({ text }) => isCarriedByGap(text))) return null
  const isSingle = options.filter(({ isRight }) => isRight).length === 1
  const shuffled = order === 'fixed' ? '' : 'S'
  return {
    name: isSingle ? `MULTICHOICE_V${shuffled}` : `MULTIRESPONSE${shuffled && '_S'}`,
    answers: options.map(({ text, isRight }) => ({ explained: text, source: htmlInGap(text), isRight })),
  }
}

/** `truefalse`, whose answers Moodle shows in the language of the learner. */
function writeTruth(
  options: readonly ParsedOption[],
  each: readonly string[],
  texts: MoodleTexts,
): ReturnType<typeof writeMoodleChoice> {
  const parts = options.map(({ text, isRight }, place) => {
    const feedback = texts.elementXml('feedback', each[place] ?? '')
    return `    <answer fraction="${isRight ? 100 : 0}" format="moodle_auto_format"><text>${text.toLowerCase()}</text>${feedback}</answer>\n`
  })
  return { type: 'truefalse', settings: '', parts: parts.join('') }
}

/** With several right answers, a wrong one takes away as much as a right one gives; otherwise choosing everything would be right. */
function fractionOf(isRight: boolean, right: number, wrong: number): string {
  if (isRight) return right === 1 ? '100' : shareOf(right)
  return right === 1 || wrong === 0 ? '0' : `-${shareOf(right)}`
}

function shareOf(right: number): string {
  return (100 / right).toFixed(5).replace(/\.?0+$/, '')
}
