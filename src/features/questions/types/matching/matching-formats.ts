import { escapeGift, giftParts, indexOfSign } from '../../formats/gift-syntax.ts'
import { lostPart } from '../../formats/lost-parts.schema.ts'
import { childOf, childrenOf, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { isBlank } from '../../question-text.ts'
import { bodyJson } from '../parts/body-json.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { GiftBlock, MoodleQuestion, OwnMarkdown, PartReader, PartWriters, TypeFormats } from '../type-formats.ts'
import { writeMatchingCard } from './matching-card.ts'
import { byText } from './matching-content.ts'
import { MATCHING_MARK } from './matching-fields.ts'
import { distractorsOf, rightTextOf } from './matching-grading.ts'
import { qtiMatching, writeQtiMatching } from './matching-qti.ts'
import { qtiOneMatching } from './matching-qti-one.ts'
import type { MatchingQuestion } from './matching.schema.ts'

/** What a file says about prompts and options, before they are judged. */
export interface ParsedMatching {
  readonly type: 'matching'
  /** Each with the letter of its option; empty if it has none. */
  readonly prompts: readonly { readonly text: string; readonly option: string }[]
  readonly options: readonly string[]
  readonly isReusable: boolean
}

/**
 * Pairs of texts, as Moodle has them: an option that stands in several pairs is one option, and one without a prompt misleads. The
 * options are sorted, because those of the pairs stand in the order of their prompts.
 */
function bodyOfPairs(pairs: readonly { readonly prompt: string; readonly option: string }[]): ParsedMatching {
  const given = [...new Set(pairs.map(({ option }) => option))].filter((option) => !isBlank(option))
  const options = byText(given.map((text) => ({ text }))).map(({ text }) => text)
  const asked = pairs.filter(({ prompt }) => !isBlank(prompt))
  const used = asked.map(({ option }) => option).filter((option) => !isBlank(option))
  return {
    type: 'matching',
    prompts: asked.map(({ prompt, option }) => ({
      text: prompt,
      option: options.includes(option) ? letterOfPart(options.indexOf(option)) : '',
    })),
    options,
    isReusable: new Set(used).size < used.length,
  }
}

const ARROW = '->'

/** `=prompt -> option`; without a prompt the option misleads. */
const giftMatching: PartReader<'matching', GiftBlock> = {
  takes: ({ content }) =>
    !content.startsWith('#') &&
    indexOfSign(content, '~') === -1 &&
    giftParts(content).some(({ text }) => text.includes(ARROW)),
  read({ content, textOf }, notes) {
    const parts = giftParts(content)
    if (parts.some(({ weight }) => weight !== null)) notes.lost.push(lostPart('credit'))
    if (parts.some(({ feedback }) => feedback.trim() !== '')) notes.lost.push(lostPart('field', 'feedback'))
    const pairs = parts.map(({ text }) => {
      const [prompt = '', ...option] = text.split(ARROW)
      return { prompt: textOf(prompt), option: textOf(option.join(ARROW)) }
    })
    return { body: bodyOfPairs(pairs), each: [] }
  },
}

const writeGift: NonNullable<PartWriters<'matching'>['gift']> = (question) =>
  pairsToWrite(question)
    .map(({ prompt, option }) => `  =${escapeGift(prompt)} ${ARROW} ${escapeGift(option)}\n`)
    .join('')

/** Moodle's types `matching`, whose answers are plain, and `ddmatch`. */
const moodleMatching: PartReader<'matching', MoodleQuestion> = {
  takes: ({ type }) => type === 'matching' || type === 'match' || type === 'ddmatch',
  read({ type, root, markdownOf }) {
    const optionOf = (element: XmlElement | undefined) => {
      const isPlain = type !== 'ddmatch' && element !== undefined && element.attributes['format'] === undefined
      return markdownOf(isPlain ? { ...element, attributes: { format: 'plain_text' } } : element)
    }
    const pairs = childrenOf(root, 'subquestion').map((element) => ({
      prompt: markdownOf(element),
      option: optionOf(childOf(element, 'answer')),
    }))
    return { body: bodyOfPairs(pairs), each: [] }
  },
}

const writeMoodle: NonNullable<PartWriters<'matching'>['moodle-xml']> = (question, _each, texts) => ({
  type: 'matching',
  settings: '    <shuffleanswers>true</shuffleanswers>\n',
  parts: pairsToWrite(question)
    .map(({ prompt, option }) => {
      const answer = texts.elementXml('answer', option)
      return `    <subquestion format="markdown">${texts.textXml(prompt)}${answer}</subquestion>\n`
    })
    .join(''),
})

function pairsToWrite(question: MatchingQuestion): { prompt: string; option: string }[] {
  return [
    ...question.prompts.map((prompt) => ({ prompt: prompt.text, option: rightTextOf(question, prompt) })),
    ...distractorsOf(question).map(({ text }) => ({ prompt: '', option: text })),
  ]
}

const PART = /^[-*+] \[(>?[A-W])\](?: (.*)|[ \t]*$)/s

const NEARLY_PART = new RegExp(`^${MATCHING_MARK}`)

/** Options as lines `- [A] text`, prompts as `- [>A] text` with the letter of their option. */
const ownMarkdown: OwnMarkdown<'matching'> = {
  readPart(line) {
    const part = PART.exec(line)
    return part && { mark: part[1] ?? '', text: part[2] ?? '' }
  },
  isNearlyPart: (line) => NEARLY_PART.test(line),
  inputOf(parts) {
    const isPrompt = ({ mark }: (typeof parts)[number]) => mark.startsWith('>')
    const prompts = parts.filter(isPrompt).map(({ mark, id, text }) => ({ id, text, option: mark.slice(1) }))
    const options = parts.filter((part) => !isPrompt(part)).map(({ mark, id, text }) => ({ id, text, letter: mark }))
    return { type: 'matching', body: { prompts, options } }
  },
  partsOf({ id: questionId, prompts, options }) {
    const derived = derivePartIds(
      questionId,
      [...prompts, ...options].map(({ text }) => text),
    )
    const letterOf = (optionId: string) => letterOfPart(options.findIndex(({ id }) => id === optionId))
    return [
      ...options.map(({ id, text }, place) => ({
        mark: `- [${letterOfPart(place)}]`,
        id,
        derivedId: derived[prompts.length + place] ?? '',
        text,
      })),
      ...prompts.map(({ id, text, optionId }, place) => ({
        mark: `- [>${letterOf(optionId)}]`,
        id,
        derivedId: derived[place] ?? '',
        text,
      })),
    ]
  },
  factsOf: ({ isReusable }) => [['reuse', isReusable ? 'true' : '']],
}

export const matchingFormats: TypeFormats<'matching'> = {
  emptyBody: () => ({ type: 'matching', prompts: [], options: [], isReusable: false }),
  inputOf: ({ type, prompts, options, isReusable }) => ({ type, body: { prompts, options, isReusable } }),
  keyTexts: ({ prompts, options }) => ['matching', ...prompts.map(({ text }) => text), ...options],
  withTexts: ({ prompts, options, ...rest }, change) => ({
    ...rest,
    prompts: prompts.map((prompt) => ({ ...prompt, text: change(prompt.text) })),
    options: options.map(change),
  }),
  // No format explains a pair by itself.
  explainedTexts: () => [],
  losses: (out, back, isSame) => [
    ...(arePairsSame(out, back, isSame) ? [] : (['answers'] as const)),
    ...(out.isReusable === back.isReusable ? [] : (['reuse'] as const)),
  ],
  markdown: ownMarkdown,
  json: bodyJson(['prompts', 'options', 'isReusable']),
  readers: { qti: qtiMatching, 'qti-1': qtiOneMatching, 'moodle-xml': moodleMatching, gift: giftMatching },
  writers: { qti: writeQtiMatching, 'moodle-xml': writeMoodle, gift: writeGift, anki: writeMatchingCard },
}

function arePairsSame(
  out: MatchingQuestion,
  back: MatchingQuestion,
  isSame: (out: string, back: string) => boolean,
): boolean {
  const [left, leftBack] = [distractorsOf(out), distractorsOf(back)]
  return (
    out.prompts.length === back.prompts.length &&
    left.length === leftBack.length &&
    out.prompts.every((prompt, place) => {
      const other = back.prompts[place]
      return (
        other !== undefined &&
        isSame(prompt.text, other.text) &&
        isSame(rightTextOf(out, prompt), rightTextOf(back, other))
      )
    }) &&
    left.every(({ text }) => leftBack.some((one) => isSame(text, one.text)))
  )
}
