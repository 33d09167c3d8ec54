import { allOf, childOf, childrenOf, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { letterOfPart } from '../parts/part-letters.ts'
import type { PartReader, QtiOneItem } from '../type-formats.ts'

/** A prompt with the name of its right option, as its own list of options has it. */
interface Prompt {
  readonly text: string
  readonly right: string | undefined
}

interface Pairing {
  readonly prompts: readonly Prompt[]
  readonly options: ReadonlyMap<string, string>
}

/** QTI 1: a list for each prompt, all of them with the same options. Blackboard has the texts of prompts and options beside the lists. */
export const qtiOneMatching: PartReader<'matching', QtiOneItem> = {
  takes: (item) => pairingOf(item) !== null,
  read(item) {
    const { prompts, options } = pairingOf(item) ?? { prompts: [], options: new Map<string, string>() }
    const names = [...options.keys()]
    const letterOf = (name: string | undefined) =>
      name === undefined ? '' : names.includes(name) ? letterOfPart(names.indexOf(name)) : '?'
    const rights = prompts.flatMap(({ right }) => right ?? [])
    return {
      body: {
        type: 'matching',
        prompts: prompts.map(({ text, right }) => ({ text, option: letterOf(right) })),
        options: [...options.values()],
        isReusable: new Set(rights).size < rights.length,
      },
      each: [],
    }
  },
}

function pairingOf(item: QtiOneItem): Pairing | null {
  const { lists, writes, other } = item
  if (lists.length < 2 || writes.length > 0 || other !== undefined) return null
  const labels = lists.map((list) => allOf(list, 'response_label'))
  const areTextsBeside = labels.every((ofList) => ofList.every((label) => allOf(label, 'material').length === 0))
  return areTextsBeside ? pairingBeside(item, labels) : pairingInside(item, labels)
}

const nameOf = ({ attributes }: XmlElement) => attributes['ident'] ?? ''

function rightOf({ comparisons }: QtiOneItem, list: XmlElement): string | undefined {
  return comparisons.find(({ response }) => response === nameOf(list))?.value
}

function pairingInside(item: QtiOneItem, labels: readonly XmlElement[][]): Pairing | null {
  const [first = [], ...others] = labels
  const namesOf = (ofList: readonly XmlElement[]) => ofList.map(nameOf).sort().join('\n')
  if (others.some((ofList) => namesOf(ofList) !== namesOf(first))) return null
  const promptOf = (list: XmlElement) => ({
    ...list,
    children: list.children.filter((child) => typeof child !== 'string' && child.name === 'material'),
  })
  return {
    prompts: item.lists.map((list) => ({ text: item.markdownOf(promptOf(list)), right: rightOf(item, list) })),
    options: new Map(first.map((label) => [nameOf(label), item.markdownOf(label)])),
  }
}

/** The labels of Blackboard's lists have no texts: the place of a label is that of its option. */
function pairingBeside(item: QtiOneItem, labels: readonly XmlElement[][]): Pairing | null {
  const blocks = blocksOf(childOf(item.root, 'presentation'))
  const ofPrompts = blocks.filter((block) => childrenOf(block, 'response_lid').length === 1)
  const ofOptions = blocks.filter(({ attributes }) => attributes['class'] === 'RIGHT_MATCH_BLOCK')
  const options = ofOptions.flatMap((block) => childrenOf(block, 'flow')).map(item.markdownOf)
  if (ofPrompts.length !== item.lists.length || options.length === 0) return null
  if (labels.some((ofList) => ofList.length !== options.length)) return null
  const prompts = ofPrompts.map((block) => {
    const [list] = childrenOf(block, 'response_lid')
    const right = list && rightOf(item, list)
    const place = right === undefined ? -1 : allOf(list, 'response_label').map(nameOf).indexOf(right)
    return { text: item.markdownOf(block), right: right === undefined ? undefined : String(place) }
  })
  return { prompts, options: new Map(options.map((text, place) => [String(place), text])) }
}

function blocksOf(element: XmlElement | undefined): XmlElement[] {
  return childrenOf(element, 'flow').flatMap((block) => [block, ...blocksOf(block)])
}
