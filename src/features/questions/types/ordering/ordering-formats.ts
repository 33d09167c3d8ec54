import { allOf, childOf, childrenOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'
import { reason } from '../../questions.ts'
import { bodyJson } from '../parts/body-json.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import type {
  MoodleQuestion,
  OwnMarkdown,
  PartReader,
  PartWriters,
  QtiComparison,
  QtiItem,
  QtiOneItem,
  TypeFormats,
} from '../type-formats.ts'
import { writeOrderingCard } from './ordering-card.ts'
import { ORDERING_MARK } from './ordering-fields.ts'
import { distractorsOf, stepsOf } from './ordering-grading.ts'
import type { OrderingQuestion } from './ordering.schema.ts'

/** What a file says about the steps, before they are judged. */
export interface ParsedOrdering {
  readonly type: 'ordering'
  /** In their right order. */
  readonly steps: readonly string[]
  readonly distractors: readonly string[]
}

/** QTI 2 and 3: one `orderInteraction`. Choices that the response does not name stay out. */
const qtiOrdering: PartReader<'ordering', QtiItem> = {
  takes: ({ interactions }) => interactions.length === 1 && interactions[0]?.name === 'orderInteraction',
  read({ interactions, response, markdownOf }, notes) {
    const choices = new Map(
      childrenOf(interactions[0], 'simpleChoice').map((element) => [
        element.attributes['identifier'] ?? '',
        markdownOf(element),
      ]),
    )
    const named = childrenOf(childOf(response, 'correctResponse'), 'value').map((value) => textIn(value).trim())
    if (named.length === 0) notes.reasons.push(reason('right-answer-missing', 'final_answer', '', notes.line))
    for (const name of named.filter((one) => !choices.has(one)))
      notes.reasons.push(reason('right-answer-unknown', 'final_answer', name, notes.line))
    const steps = named.flatMap((name) => choices.get(name) ?? [])
    const distractors = [...choices].flatMap(([name, text]) => (named.includes(name) ? [] : [text]))
    return { body: { type: 'ordering', steps, distractors }, each: [], names: [...choices.keys()] }
  },
}

/**
 * QTI 1: a list whose cardinality is an order, or that is rendered as an object to sort. The conditions name the labels in their order,
 * or, as D2L has it, each label with its place.
 */
const qtiOneOrdering: PartReader<'ordering', QtiOneItem> = {
  takes: ({ lists: [list, ...others], writes, other }) =>
    list !== undefined && others.length === 0 && writes.length === 0 && other === undefined && isSorted(list),
  read({ lists: [list], comparisons, markdownOf }) {
    const labels = allOf(list, 'response_label')
    const texts = new Map(labels.map((label) => [label.attributes['ident'] ?? '', markdownOf(label)]))
    const named = orderOf(comparisons, texts)
    const steps = named.flatMap((name) => texts.get(name) ?? [])
    const distractors = [...texts].flatMap(([name, text]) => (named.includes(name) ? [] : [text]))
    return { body: { type: 'ordering', steps, distractors }, each: [] }
  },
}

function isSorted(list: XmlElement): boolean {
  return /^ordered$/i.test(list.attributes['rcardinality'] ?? '') || allOf(list, 'ims_render_object').length > 0
}

function orderOf(comparisons: readonly QtiComparison[], texts: ReadonlyMap<string, string>): string[] {
  const withPlaces = comparisons.map(({ response, value, index }, at) =>
    texts.has(response) ? { name: response, place: Number(value) } : { name: value, place: Number(index ?? at) },
  )
  const inOrder = withPlaces.toSorted((one, other) => one.place - other.place)
  return [...new Set(inOrder.map(({ name }) => name))]
}

/** Moodle's type `ordering`: the answers stand in their right order. */
const moodleOrdering: PartReader<'ordering', MoodleQuestion> = {
  takes: ({ type }) => type === 'ordering',
  read({ root, markdownOf }) {
    const elements = childrenOf(root, 'answer')
    const each = elements.map((element) => markdownOf(childOf(element, 'feedback')))
    return { body: { type: 'ordering', steps: elements.map(markdownOf), distractors: [] }, each }
  },
}

const writeQti: NonNullable<PartWriters<'ordering'>['qti']> = (question, texts) => {
  const items = question.items.toSorted((one, other) => one.text.localeCompare(other.text))
  const nameOf = (id: string) => `S${items.findIndex((item) => item.id === id) + 1}`
  const count = question.orderedIds.length
  return {
    declarations: [texts.declared({ cardinality: 'ordered', baseType: 'identifier' }, question.orderedIds.map(nameOf))],
    interaction: texts.element(
      'orderInteraction',
      { responseIdentifier: 'RESPONSE', shuffle: true, minChoices: count, maxChoices: count },
      ...items.map(({ id, text }) => texts.element('simpleChoice', { identifier: nameOf(id) }, texts.htmlOf(text))),
    ),
  }
}

/** Moodle has no place for steps that stay out: they are left out, and reported as a loss. */
const writeMoodle: NonNullable<PartWriters<'ordering'>['moodle-xml']> = (question, each, texts) => ({
  type: 'ordering',
  settings: [
    '    <layouttype>VERTICAL</layouttype>\n',
    '    <selecttype>ALL</selecttype>\n',
    '    <selectcount>0</selectcount>\n',
    '    <gradingtype>ABSOLUTE_POSITION</gradingtype>\n',
    '    <showgrading>SHOW</showgrading>\n',
  ].join(''),
  parts: stepsOf(question)
    .map(({ text }, place) => {
      const feedback = texts.elementXml('feedback', each[place] ?? '')
      return `    <answer fraction="${(place + 1).toFixed(7)}" format="markdown">${texts.textXml(text)}${feedback}</answer>\n`
    })
    .join(''),
})

const PART = /^[-*+] \[([1-9]|-)\](?: (.*)|[ \t]*$)/s

const NEARLY_PART = new RegExp(`^${ORDERING_MARK}`)

/** Steps as lines `- [1] text` with their place, those that stay out as `- [-] text`. */
const ownMarkdown: OwnMarkdown<'ordering'> = {
  readPart(line) {
    const part = PART.exec(line)
    return part && { mark: part[1] ?? '', text: part[2] ?? '' }
  },
  isNearlyPart: (line) => NEARLY_PART.test(line),
  inputOf(parts) {
    const partOf = ({ id, text }: (typeof parts)[number]) => ({ id, text })
    const steps = parts
      .filter(({ mark }) => mark !== '-')
      .toSorted((one, other) => Number(one.mark) - Number(other.mark))
    const distractors = parts.filter(({ mark }) => mark === '-')
    return { type: 'ordering', body: { steps: steps.map(partOf), distractors: distractors.map(partOf) } }
  },
  partsOf(question) {
    const items = [...stepsOf(question), ...distractorsOf(question)]
    const derived = derivePartIds(
      question.id,
      items.map(({ text }) => text),
    )
    return items.map(({ id, text }, place) => ({
      mark: `- [${place < question.orderedIds.length ? place + 1 : '-'}]`,
      id,
      derivedId: derived[place] ?? '',
      text,
    }))
  },
  factsOf: () => [],
}

export const orderingFormats: TypeFormats<'ordering'> = {
  emptyBody: () => ({ type: 'ordering', steps: [], distractors: [] }),
  inputOf: ({ steps, distractors }) => ({ type: 'ordering', body: { steps, distractors } }),
  keyTexts: ({ steps, distractors }) => ['ordering', ...steps, ...distractors],
  withTexts: ({ steps, distractors }, change) => ({
    type: 'ordering',
    steps: steps.map(change),
    distractors: distractors.map(change),
  }),
  explainedTexts: (of) =>
    'steps' in of ? [...of.steps, ...of.distractors] : [...stepsOf(of), ...distractorsOf(of)].map(({ text }) => text),
  losses: (out, back, isSame) => (areStepsSame(out, back, isSame) ? [] : ['answers']),
  markdown: ownMarkdown,
  json: bodyJson(['steps', 'distractors']),
  readers: { qti: qtiOrdering, 'qti-1': qtiOneOrdering, 'moodle-xml': moodleOrdering },
  writers: { qti: writeQti, 'moodle-xml': writeMoodle, anki: writeOrderingCard },
}

function areStepsSame(
  out: OrderingQuestion,
  back: OrderingQuestion,
  isSame: (out: string, back: string) => boolean,
): boolean {
  const [mine, other] = [stepsOf(out), stepsOf(back)]
  const [left, leftBack] = [distractorsOf(out), distractorsOf(back)]
  return (
    mine.length === other.length &&
    left.length === leftBack.length &&
    mine.every(({ text }, place) => isSame(text, other[place]?.text ?? '')) &&
    left.every(({ text }) => leftBack.some((one) => isSame(text, one.text)))
  )
}
