import { allOf, childrenOf, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { apartGaps, rightPairs, type Pair } from '../../formats/qti/qti-pairs.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { PartReader, PartWriters, QtiItem } from '../type-formats.ts'
import { repeatedOptions } from './matching-grading.ts'
import type { MatchingQuestion } from './matching.schema.ts'

/** What an interaction says: its prompts and options, and pairs of their identifiers. */
interface Pairing {
  readonly prompts: readonly XmlElement[]
  readonly options: readonly XmlElement[]
  /** The prompt's name first. */
  readonly pairs: readonly Pair[]
}

/**
 * QTI 2 and 3: one `matchInteraction` or `associateInteraction`, or a `gapMatchInteraction` whose gaps stand in paragraphs of their own.
 * One in which something has several partners on either side is no matching of ours.
 */
export const qtiMatching: PartReader<'matching', QtiItem> = {
  takes: (item) => pairingOf(item) !== null,
  read(item) {
    const { prompts, options, pairs } = pairingOf(item) ?? { prompts: [], options: [], pairs: [] }
    const names = options.map(nameOf)
    const isRepeated = repeatedOptions(pairs.map(([promptId, optionId]) => ({ promptId, optionId }))).length > 0
    return {
      body: {
        type: 'matching',
        prompts: prompts.map((prompt) => {
          const named = pairs.find(([name]) => name === nameOf(prompt))?.[1]
          return { text: item.markdownOf(prompt), option: named === undefined ? '' : letterAt(names.indexOf(named)) }
        }),
        options: options.map(item.markdownOf),
        isReusable: isRepeated || options.some(isUsableOften),
      },
      each: [],
    }
  },
}

/** A name that no option has is kept as one, so that it is told. */
function letterAt(place: number): string {
  return place === -1 ? '?' : letterOfPart(place)
}

function nameOf({ attributes }: XmlElement): string {
  return attributes['identifier'] ?? ''
}

function isUsableOften({ attributes }: XmlElement): boolean {
  return (attributes['matchMax'] ?? '1') !== '1'
}

function pairingOf({ interactions, response }: QtiItem): Pairing | null {
  const [interaction] = interactions
  if (interaction === undefined || interactions.length > 1) return null
  const pairs = rightPairs(response)
  switch (interaction.name) {
    case 'matchInteraction':
      return matchPairing(interaction, pairs)
    case 'associateInteraction':
      return associatePairing(interaction, pairs)
    case 'gapMatchInteraction':
      return gapPairing(interaction, pairs)
    default:
      return null
  }
}

/** The prompts are the side on which everything has one partner: usually the first, else the second. */
function matchPairing(interaction: XmlElement, pairs: readonly Pair[]): Pairing | null {
  const sets = childrenOf(interaction, 'simpleMatchSet').map((set) => childrenOf(set, 'simpleAssociableChoice'))
  const [first = [], second = []] = sets
  const turned = pairs.map(([one, other]): Pair => [other, one])
  const ways: Pairing[] = [
    { prompts: first, options: second, pairs },
    { prompts: second, options: first, pairs: turned },
  ]
  const fitting = sets.length === 2 ? ways.filter(hasOnePartnerEach) : []
  return fitting.find(({ prompts, pairs: own }) => prompts.length === own.length) ?? fitting[0] ?? null
}

function hasOnePartnerEach({ pairs }: Pairing): boolean {
  return new Set(pairs.map(([prompt]) => prompt)).size === pairs.length
}

/** Of each pair, the first is the prompt. What has no partner is an option that misleads. */
function associatePairing(interaction: XmlElement, pairs: readonly Pair[]): Pairing | null {
  if (new Set(pairs.flat()).size !== pairs.length * 2) return null
  const choices = childrenOf(interaction, 'simpleAssociableChoice')
  const isPrompt = (choice: XmlElement) => pairs.some(([prompt]) => prompt === nameOf(choice))
  return { prompts: choices.filter(isPrompt), options: choices.filter((choice) => !isPrompt(choice)), pairs }
}

/** Each gap with its paragraph is a prompt. Where other text stands around them, or two gaps in one paragraph, it is no matching. */
function gapPairing(interaction: XmlElement, pairs: readonly Pair[]): Pairing | null {
  const blocks = apartGaps(interaction)
  if (blocks === null) return null
  return {
    prompts: blocks.map((block) => ({
      ...withoutGap(block),
      attributes: { identifier: allOf(block, 'gap').map(nameOf).join('') },
    })),
    options: childrenOf(interaction, 'gapText'),
    pairs: pairs.map(([option, gap]) => [gap, option]),
  }
}

function withoutGap(element: XmlElement): XmlElement {
  const children = element.children.map((child) => {
    if (typeof child === 'string') return child
    return child.name === 'gap' ? '…' : withoutGap(child)
  })
  return { ...element, children }
}

export const writeQtiMatching: NonNullable<PartWriters<'matching'>['qti']> = (question, texts) => {
  const { prompts, options, isReusable } = question
  const optionName = (id: string) => `O${options.findIndex((option) => option.id === id) + 1}`
  const count = prompts.length
  const setXml = (parts: MatchingQuestion['options'], sign: string, attributes: Record<string, number | boolean>) => {
    const choices = parts.map(({ text }, place) =>
      texts.element('simpleAssociableChoice', { identifier: `${sign}${place + 1}`, ...attributes }, texts.htmlOf(text)),
    )
    return texts.element('simpleMatchSet', {}, ...choices)
  }
  return {
    declarations: [
      texts.declared(
        { cardinality: 'multiple', baseType: 'directedPair' },
        prompts.map(({ optionId }, place) => `P${place + 1} ${optionName(optionId)}`),
      ),
    ],
    interaction: texts.element(
      'matchInteraction',
      { responseIdentifier: 'RESPONSE', shuffle: true, minAssociations: count, maxAssociations: count },
      setXml(prompts, 'P', { matchMax: 1, fixed: true }),
      setXml(options, 'O', { matchMax: isReusable ? count : 1 }),
    ),
  }
}
