import { lostPart } from '../../formats/lost-parts.schema.ts'
import { allOf, childOf, childrenOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { apartGaps, rightPairs } from '../../formats/qti/qti-pairs.ts'
import type { BodyNotes, PartReader, PartWriters, QtiItem } from '../type-formats.ts'
import type { ParsedDropDown } from './drop-down-formats.ts'
import { rightOf } from './drop-down-grading.ts'

/**
 * QTI 2 and 3: any number of `inlineChoiceInteraction`s in the text, each with a response of its own, or a `gapMatchInteraction` whose gaps
 * stand within sentences: every gap has all of its texts to choose from.
 */
export const qtiDropDown: PartReader<'drop-down', QtiItem> = {
  takes: ({ interactions }) =>
    interactions.length > 0 &&
    (interactions.every(({ name }) => name === 'inlineChoiceInteraction') || isTextWithGaps(interactions)),
  read(item, notes) {
    const { interactions, responses, markdownOf } = item
    if (isTextWithGaps(interactions)) return readGapMatch(item)
    const lists = interactions.map((interaction) => childrenOf(interaction, 'inlineChoice'))
    const gaps = lists.map((choices, at) => gapOf(choices, responses[at], markdownOf, notes))
    const elements = lists.flat()
    return {
      body: { type: 'drop-down', gaps },
      each: elements.map((element) => allOf(element, 'feedbackInline').map(markdownOf).join('\n\n')),
      names: elements.map(identifierOf),
    }
  },
}

function isTextWithGaps([interaction, ...others]: readonly XmlElement[]): boolean {
  return interaction?.name === 'gapMatchInteraction' && others.length === 0 && apartGaps(interaction) === null
}

function readGapMatch({ interactions: [interaction], response, markdownOf }: QtiItem) {
  const choices = childrenOf(interaction, 'gapText')
  const pairs = rightPairs(response)
  const gaps = allOf(interaction, 'gap').map((gap) => ({
    options: choices.map((choice) => ({
      text: markdownOf(choice),
      isRight: pairs.some(([text, place]) => text === identifierOf(choice) && place === identifierOf(gap)),
    })),
  }))
  return { body: { type: 'drop-down' as const, gaps }, each: [] }
}

function identifierOf({ attributes }: XmlElement): string {
  return attributes['identifier'] ?? ''
}

function gapOf(
  choices: readonly XmlElement[],
  response: XmlElement | undefined,
  markdownOf: QtiItem['markdownOf'],
  notes: BodyNotes,
): ParsedDropDown['gaps'][number] {
  const right = rightNames(response, notes)
  return {
    options: choices.map((element) => {
      const children = element.children.filter((child) => typeof child === 'string' || child.name !== 'feedbackInline')
      const isRight = right.includes(identifierOf(element))
      return { text: markdownOf({ ...element, children }), isRight }
    }),
  }
}

/** The correct response, or without one what the mapping gives most points. */
function rightNames(response: XmlElement | undefined, notes: BodyNotes): string[] {
  const correct = childrenOf(childOf(response, 'correctResponse'), 'value').map((value) => textIn(value).trim())
  const mapped = allOf(childOf(response, 'mapping'), 'mapEntry').map(({ attributes }) => ({
    name: attributes['mapKey'] ?? '',
    value: Number(attributes['mappedValue'] ?? '0'),
  }))
  const positive = mapped.filter(({ value }) => value > 0)
  if (positive.length > 1) notes.lost.push(lostPart('credit'))
  if (correct.length > 0) return correct
  const most = Math.max(...positive.map(({ value }) => value))
  return positive.filter(({ value }) => value === most).map(({ name }) => name)
}

export const writeQtiDropDown: NonNullable<PartWriters<'drop-down'>['qti']> = ({ gaps }, texts) => {
  const nameOf = (at: number) => (gaps.length === 1 ? 'RESPONSE' : `RESPONSE_${at + 1}`)
  const choiceOf = (at: number, id: string) =>
    `G${at + 1}-${(gaps[at]?.options.findIndex((one) => one.id === id) ?? 0) + 1}`
  const interactions = gaps.map(({ options }, at) => {
    const choices = options.map(({ id, text }) =>
      texts.element('inlineChoice', { identifier: choiceOf(at, id) }, texts.inlineOf(text)),
    )
    return texts.element('inlineChoiceInteraction', { responseIdentifier: nameOf(at), shuffle: true }, choices.join(''))
  })
  return {
    declarations: gaps.map((gap, at) =>
      texts.declared({ identifier: nameOf(at), cardinality: 'single', baseType: 'identifier' }, [
        choiceOf(at, rightOf(gap).id),
      ]),
    ),
    interaction: '',
    responses: gaps.map((_, at) => nameOf(at)),
    // A place inside a tag, such as in an address, is no gap.
    bodyOf: (html) =>
      html.replaceAll(/<[^>]*>|\[\[([1-8])\]\]/g, (found, number?: string) =>
        number === undefined ? found : (interactions[Number(number) - 1] ?? found),
      ),
  }
}
