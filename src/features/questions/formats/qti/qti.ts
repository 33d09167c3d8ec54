import { normaliseLine } from '../../question-text.ts'
import { reason } from '../../questions.ts'
import { BLANK, withPlainBlank } from '../blank.ts'
import type { ExamFacts } from '../../questions.schema.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { joinExplanations } from '../part-explanations.ts'
import { explainedTexts, isTaken, readParts } from '../../types/format-registry.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { treeToMarkdown } from '../markup/html-to-markdown.ts'
import { apartGaps, withNumberedGaps } from './qti-pairs.ts'
import { type ItemFacts, readManifest } from './qti-manifest.ts'
import { resolvePath } from '../bank-images.ts'
import { takeOldItem } from './qti-one.ts'
import { olderName } from './qti-texts.ts'
import { readStimuli, type Stimuli } from './qti-stimuli.ts'
import type { ReadStep, SourceFile } from '../formats.schema.ts'
import { takeTag } from '../question-tags.ts'
import { decodeText } from '../text-decoding.ts'
import {
  allOf,
  childOf,
  childrenOf,
  hasDoctype,
  parseXml,
  slicesOf,
  textIn,
  type XmlElement,
  type XmlSlice,
} from '../markup/xml-tree.ts'

type QtiVersion = 'qti-1' | 'qti-2' | 'qti-3'

/** The element of an item in each version. */
const ITEM: Record<QtiVersion, string> = { 'qti-1': 'item', 'qti-2': 'assessmentItem', 'qti-3': 'qti-assessment-item' }

/** Reads QTI: a file with one item or many, or a package in the order of its test. An item has one interaction. */
export function* readQti(files: SourceFile[], reading: Reading, version: QtiVersion): Generator<ReadStep> {
  const steps: (ReadStep | SourceFile)[] = []
  const done = new Set<string>()
  const others: SourceFile[] = []
  for (const file of files) {
    reading.used.add(file.path)
    const test = version === 'qti-1' ? null : testIn(decodeText(file.bytes).text)
    if (!test) {
      others.push(file)
      continue
    }
    steps.push({ kind: 'exam', file: file.path, facts: test.facts })
    for (const address of test.items) {
      const path = resolvePath(file.path, address)
      const item = reading.files.get(path)
      if (item && !done.has(path)) steps.push(item)
      if (!item)
        steps.push(findingStep('file-unreadable', { file: path, about: 'the test names it, and it is not there.' }))
      done.add(path)
    }
  }
  steps.push(...others.filter(({ path }) => !done.has(path)))
  const items = steps.flatMap((step) => ('kind' in step ? [] : [step]))
  const nameOf = version === 'qti-3' ? olderName : undefined
  const context = {
    version,
    reading,
    manifest: readManifest(reading),
    stimuli: readStimuli(items, { element: ITEM[version], nameOf, reading }),
  }
  for (const step of steps)
    if ('kind' in step) yield step
    else yield* readFile(step, context)
}

type Context = {
  readonly version: QtiVersion
  readonly reading: Reading
  readonly manifest: ReadonlyMap<string, ItemFacts>
  readonly stimuli: Stimuli
}

function* readFile({ path, bytes }: SourceFile, context: Context): Generator<ReadStep> {
  const { version, reading, manifest } = context
  reading.used.add(path)
  const { text, encoding } = decodeText(bytes)
  if (encoding !== 'UTF-8') yield findingStep('encoding-taken', { file: path, about: encoding, severity: 'warning' })
  if (hasDoctype(text)) yield findingStep('entities-left-aside', { file: path, severity: 'warning' })
  if (version === 'qti-1') yield* oldExam(path, text)
  let count = 0
  for (const slice of slicesOf(text, ITEM[version])) {
    count += 1
    const read = found(path, slice.line)
    const { domain, difficulty, url, tags } = manifest.get(path) ?? {}
    read.facts = { ...(domain && { domain }), ...(difficulty && { difficulty }), ...(url && { url }) }
    for (const tag of tags ?? []) takeTag(read, tag)
    yield* takeSlice(read, slice, context)
    yield questionStep(read, reading)
  }
  if (count === 0) yield findingStep('no-questions', { file: path })
}

function* oldExam(file: string, text: string): Generator<ReadStep> {
  const [, written = ''] = /<(?:\w+:)?assessment\b[^<>]*?\btitle="([^"<>]*)"/.exec(text) ?? []
  const title = normaliseLine(textIn(parseXml(`<t>${written}</t>`).root ?? undefined))
  if (title !== '') yield { kind: 'exam', file, facts: { title: title.slice(0, 199) } }
}

/** @returns what comes before the question: the case study that it is the first of */
function takeSlice(read: ParsedQuestion, slice: XmlSlice, { version, stimuli }: Context): ReadStep[] {
  const { root, problem, unknownEntities } = parseXml(slice.text, version === 'qti-3' ? olderName : undefined)
  const broken = problem ?? (slice.isWhole ? null : 'the item has no end')
  if (broken !== null) read.reasons.push(reason('syntax-broken', '', broken, slice.line))
  for (const entity of unknownEntities) read.reasons.push(reason('entity-unknown', '', entity, slice.line))
  if (!root) return []
  if (version === 'qti-1') takeOldItem(read, root)
  else takeItem(read, root)
  return stimuli.take(read, root)
}

function takeItem(read: ParsedQuestion, root: XmlElement): void {
  const itemBody = childOf(root, 'itemBody')
  const interactions = interactionsIn(itemBody)
  const source = {
    interactions,
    response: responseOf(root, interactions[0]),
    processing: childOf(root, 'responseProcessing'),
    responses: interactions.map((interaction) => responseOf(root, interaction)),
    markdownOf: (element: XmlElement) => markdownOf(element, read),
  }
  if (!isTaken('qti', source)) {
    read.reasons.push(reason('type-unsupported', '', whyNone(interactions), read.line))
  }
  const overall: string[] = []
  read.stem = withPlainBlank(markdownOf(withPrompt(itemBody, { overall, interactions, read }), read))
  const { body, each, names = [] } = readParts('qti', source, read)
  for (const feedback of childrenOf(root, 'modalFeedback')) {
    const text = markdownOf(feedback, read)
    const place = names.indexOf(feedback.attributes['identifier'] ?? '')
    if (place !== -1) each[place] = [each[place], text].filter(Boolean).join('\n\n')
    else if (!overall.includes(text)) overall.push(text)
  }
  read.body = body
  read.explanation = joinExplanations({ overall: overall.join('\n\n'), each }, explainedTexts(body))
}

/** Why no type takes an item: the names of its interactions, and what does not fit where a type takes others of that name. */
function whyNone(interactions: readonly XmlElement[]): string {
  const [one, ...others] = interactions.map(({ name }) => name)
  if (one === undefined) return 'no interaction'
  const isPairs = others.length === 0 && /^(?:match|associate)Interaction$/.test(one)
  return isPairs ? `${one} in which a part has several partners` : [one, ...others].join(', ')
}

function interactionsIn(element: XmlElement | undefined): XmlElement[] {
  return (element?.children ?? []).flatMap((child) => {
    if (typeof child === 'string') return []
    return child.name.endsWith('Interaction') ? [child] : interactionsIn(child)
  })
}

function responseOf(root: XmlElement, interaction: XmlElement | undefined): XmlElement | undefined {
  const name = interaction?.attributes['responseIdentifier']
  return childrenOf(root, 'responseDeclaration').find(({ attributes }) => attributes['identifier'] === name)
}

interface BodyContext {
  readonly overall: string[]
  readonly interactions: readonly XmlElement[]
  readonly read: ParsedQuestion
}

/**
 * The body with the prompt in the place of the interaction, and a numbered gap in the place of one that stands inside a sentence. Its
 * feedback is moved to `overall`.
 */
function withPrompt(body: XmlElement | undefined, context: BodyContext): XmlElement | undefined {
  const { overall, interactions, read } = context
  if (!body) return undefined
  const children = body.children.flatMap((child, place): XmlElement['children'] => {
    if (typeof child === 'string') return [child]
    if (child.name === 'inlineChoiceInteraction') return [`[[${interactions.indexOf(child) + 1}]]`]
    if (child.name === 'gapMatchInteraction' && apartGaps(child) === null) return withNumberedGaps(child)
    if (child.name.endsWith('Interaction')) {
      const isGap = child.name === 'textEntryInteraction' && textIn({ ...body, children: body.children.slice(place) })
      if (isGap !== false && isGap.trim() !== '') return [BLANK]
      const prompt = childOf(child, 'prompt')
      return prompt ? [{ name: 'div', attributes: {}, children: prompt.children }] : []
    }
    if (child.name === 'feedbackBlock' || child.name === 'feedbackInline') {
      overall.push(markdownOf(child, read))
      return []
    }
    if (child.name === 'rubricBlock') {
      read.lost.push(lostPart('markup', child.name))
      return []
    }
    return [withPrompt(child, context) ?? child]
  })
  return { ...body, children }
}

function markdownOf(element: XmlElement | undefined, read: ParsedQuestion): string {
  return treeToMarkdown(element?.children ?? [], { lost: read.lost })
}

/** The title, time and items of a test; null if the file is no test. */
function testIn(text: string): { facts: Partial<ExamFacts>; items: string[] } | null {
  if (!/<(?:\w+:)?(?:qti-assessment-test|assessmentTest)[\s>]/.test(text)) return null
  const { root: test } = parseXml(text, olderName)
  if (!test) return null
  const title = normaliseLine(test.attributes['title'] ?? '')
  const minutes = Math.round(Number(childOf(test, 'timeLimits')?.attributes['maxTime'] ?? '0') / 60)
  return {
    facts: {
      ...(title !== '' && { title: title.slice(0, 199) }),
      ...(minutes >= 1 && minutes <= 1440 && { timeLimitMinutes: minutes }),
    },
    items: allOf(test, 'assessmentItemRef').map(({ attributes }) => attributes['href'] ?? ''),
  }
}
