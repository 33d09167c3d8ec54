import { lostPart } from '../../../formats/lost-parts.schema.ts'
import { allOf, childOf, childrenOf, textIn, type XmlElement } from '../../../formats/markup/xml-tree.ts'
import { reason } from '../../../questions.ts'
import type { BodyNotes, PartReader, PartWriters, QtiItem, QtiOneItem } from '../../type-formats.ts'
import type { OptionOrder } from '../choice.schema.ts'
import { choiceOfNames, rightCount, type ParsedChoice } from './choice-parsed.ts'

/** QTI 2 and 3: one `choiceInteraction` of `simpleChoice`s. */
export const qtiChoice: PartReader<'choice', QtiItem> = {
  takes: ({ interactions }) => interactions.length === 1 && interactions[0]?.name === 'choiceInteraction',
  read({ interactions, response, markdownOf }, notes) {
    const elements = childrenOf(interactions[0], 'simpleChoice')
    const each = elements.map((element) => allOf(element, 'feedbackInline').map(markdownOf).join('\n\n'))
    const texts = elements.map((element) => markdownOf(without(element, 'feedbackInline')))
    const names = elements.map(({ attributes }) => attributes['identifier'] ?? '')
    const body = readResponse(names, texts, response, notes)
    return { body: { ...body, ...orderOf(interactions[0], elements) }, each, names }
  },
}

/** QTI says of each choice whether it keeps its place. Of those that stay, only all or the last can be kept. */
function orderOf(interaction: XmlElement | undefined, choices: readonly XmlElement[]): { order?: OptionOrder } {
  const isFixed = choices.map(({ attributes }) => attributes['fixed'] === 'true')
  if (interaction?.attributes['shuffle'] !== 'true' && isFixed.includes(true)) return { order: 'fixed' }
  if (isFixed.every(Boolean) && isFixed.length > 0) return { order: 'fixed' }
  if (!isFixed.includes(true)) return {}
  return { order: isFixed.indexOf(true) === isFixed.length - 1 ? 'last-stays' : 'fixed' }
}

function readResponse(
  names: readonly string[],
  texts: readonly string[],
  response: XmlElement | undefined,
  notes: BodyNotes,
): ParsedChoice {
  const mapped = allOf(childOf(response, 'mapping'), 'mapEntry').map(({ attributes }) => ({
    name: attributes['mapKey'] ?? '',
    value: Number(attributes['mappedValue'] ?? '0'),
  }))
  const correct = childrenOf(childOf(response, 'correctResponse'), 'value').map((value) => textIn(value).trim())
  const positive = mapped.filter(({ value }) => value > 0)
  const body = choiceOfNames(
    namedOptions(names, texts),
    correct.length > 0 ? correct : positive.map(({ name }) => name),
  )
  const count = rightCount(body)
  if (response?.attributes['cardinality'] === 'single' && count > 1)
    notes.reasons.push(reason('type-contradicts-key', '', 'single', notes.line))
  if (new Set(positive.map(({ value }) => value)).size > 1 || (correct.length > 0 && positive.length > count))
    notes.lost.push(lostPart('credit'))
  return body
}

function without(element: XmlElement, name: string): XmlElement {
  return { ...element, children: element.children.filter((child) => typeof child === 'string' || child.name !== name) }
}

/** QTI 1.2: one `response_lid` with labels. Options that give points are right. */
export const qtiOneChoice: PartReader<'choice', QtiOneItem> = {
  takes: ({ lists, writes, other }) =>
    other === undefined && writes.length === 0 && lists.length === 1 && labelsIn(lists).length > 0,
  read({ lists, points, markdownOf }, notes) {
    const labels = labelsIn(lists)
    const texts = labels.map(markdownOf)
    const names = labels.map(({ attributes }) => attributes['ident'] ?? '')
    const right = [...points].filter(([, given]) => given > 0)
    const body = choiceOfNames(
      namedOptions(names, texts),
      right.map(([name]) => name),
    )
    if (new Set(right.map(([, given]) => given)).size > 1) {
      notes.lost.push(lostPart('credit'))
      notes.reasons.push(reason('key-uncertain', 'final_answer', 'answers give different points', notes.line))
    }
    if (lists[0]?.attributes['rcardinality']?.toLowerCase() === 'single' && rightCount(body) > 1)
      notes.reasons.push(reason('type-contradicts-key', '', 'single', notes.line))
    return { body, each: labels.map(() => ''), names }
  },
}

function labelsIn(lists: readonly XmlElement[]): XmlElement[] {
  return allOf(lists[0], 'response_label')
}

function namedOptions(names: readonly string[], texts: readonly string[]): { name: string; text: string }[] {
  return texts.map((text, place) => ({ name: names[place] ?? '', text }))
}

export const writeQtiChoice: NonNullable<PartWriters<'choice'>['qti']> = ({ options, order }, texts) => {
  const right = options.flatMap(({ isRight }, place) => (isRight ? [choiceName(place)] : []))
  const isFixedAt = (place: number) => order === 'fixed' || (order === 'last-stays' && place === options.length - 1)
  const choices = options.map(({ text }, place) =>
    texts.element(
      'simpleChoice',
      { identifier: choiceName(place), ...(isFixedAt(place) && { fixed: true }) },
      texts.htmlOf(text),
    ),
  )
  const cardinality = right.length > 1 ? 'multiple' : 'single'
  const attributes = { responseIdentifier: 'RESPONSE', shuffle: true, maxChoices: right.length }
  return {
    declarations: [texts.declared({ cardinality, baseType: 'identifier' }, right)],
    interaction: texts.element('choiceInteraction', attributes, ...choices),
  }
}

function choiceName(place: number): string {
  return String.fromCharCode(65 + place)
}
