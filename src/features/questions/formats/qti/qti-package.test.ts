import type { Question } from '../../types/question-types.schema.ts'
import * as fc from 'fast-check'
import { strFromU8 } from 'fflate'
import { expect, test } from 'vitest'
import { anyQuestion } from '../../any-question.fixture.ts'
import { writeQtiPackage } from './qti-package.ts'
import { olderName } from './qti-texts.ts'
import type { ExamToWrite, WrittenFile } from '../formats.schema.ts'
import { allOf, parseXml, textIn, type XmlElement } from '../markup/xml-tree.ts'

// What the standard says of a package (1EdTech, QTI 2.2 and 3.0: information model, packaging, and the schemas of items and tests).
const VERSIONS = {
  'qti-2': {
    package: 'http://www.imsglobal.org/xsd/imscp_v1p1',
    about: ['QTIv2.2 Package', '1.0.0'],
    items: 'http://www.imsglobal.org/xsd/imsqti_v2p2',
    types: ['imsqti_item_xmlv2p2', 'imsqti_test_xmlv2p2', 'imsqti_stimulus_xmlv2p2'],
    roots: ['assessmentItem', 'assessmentTest', 'assessmentStimulus'],
    template: 'http://www.imsglobal.org/question/qti_v2p2/rptemplates/match_correct',
    picture: 'object',
    feedback: null,
    olderName: (name: string) => name,
  },
  'qti-3': {
    package: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1',
    about: ['QTI Package', '3.0.0'],
    items: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
    types: ['imsqti_item_xmlv3p0', 'imsqti_test_xmlv3p0', 'imsqti_stimulus_xmlv3p0'],
    roots: ['qti-assessment-item', 'qti-assessment-test', 'qti-assessment-stimulus'],
    template: 'https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml',
    picture: 'img',
    feedback: 'contentBody',
    olderName,
  },
}
type Version = (typeof VERSIONS)[keyof typeof VERSIONS]
/** An XML name without a colon, as ids and references of manifests must be. */
const NC_NAME = /^[A-Za-z_][A-Za-z0-9._-]*$/
const ITEM_ORDER = [
  'responseDeclaration',
  'outcomeDeclaration',
  'assessmentStimulusRef',
  'itemBody',
  'responseProcessing',
  'modalFeedback',
]

const image = { name: 'plan.webp', bytes: Uint8Array.from([1, 2, 3]) }

function anExam(slug: string, questions: Question[]): ExamToWrite {
  const facts = { title: 'A & <B>', slug, order: 1, timeLimitMinutes: 90, passingScore: 70, isFreeTrial: false }
  const caseStudies = [
    { id: '1', title: 'A "plan"', tabs: [{ id: 't1', title: 'One', body: '![A plan](/pictures/7)' }] },
  ]
  return { facts, courseTitle: 'A course', caseStudies, questions, images: new Map([['/pictures/7', image]]) }
}

/** The names are those of QTI 2, in both versions. */
function rootOf(files: readonly WrittenFile[], path: string, { olderName }: Version): XmlElement {
  const { root } = parseXml(strFromU8(files.find((file) => file.path === path)!.bytes), olderName)
  if (!root) throw new Error(`${path} is no XML`)
  return root
}

const childrenOf = ({ children }: XmlElement) => children.flatMap((child) => (typeof child === 'string' ? [] : [child]))
const named = (elements: readonly XmlElement[], name: string) =>
  elements.map(({ attributes }) => attributes[name] ?? '')

const anyQuestions = fc.uniqueArray(anyQuestion, { selector: ({ id }) => id, minLength: 1, maxLength: 3 })

test.each(['qti-2', 'qti-3'] as const)(
  '%s: a package holds to what the standard says of manifests, tests and items',
  (name) => {
    const version = VERSIONS[name]
    fc.assert(
      fc.property(anyQuestions, (questions) => {
        const shown = questions.map((question) => ({
          ...question,
          caseStudy: '1',
          stem: `${question.stem}\n\n![A plan](/pictures/7)`,
        }))
        const files = writeQtiPackage([anExam('2-exams', shown), anExam('exam', questions)], name)
        const manifest = rootOf(files, 'imsmanifest.xml', version)
        expect(manifest.attributes['xmlns']).toBe(version.package)
        expect(childrenOf(manifest).map(({ name }) => name)).toEqual(['metadata', 'organizations', 'resources'])
        const [about] = childrenOf(manifest)
        expect(childrenOf(about!).map(textIn)).toEqual(version.about)
        const resources = childrenOf(childrenOf(manifest)[2]!)
        expect(new Set(named(resources, 'type'))).toEqual(new Set(version.types))

        // Ids are names, each once in the file; a dependency leads to one; every file is listed, and every listed one is there.
        const ids = [manifest.attributes['identifier'] ?? '', ...named(resources, 'identifier')]
        for (const id of ids) expect(id).toMatch(NC_NAME)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids).toEqual(expect.arrayContaining(named(allOf(manifest, 'dependency'), 'identifierref')))
        const listed = resources.flatMap(filesOf)
        const inPackage = files.map(({ path }) => path).filter((path) => path !== 'imsmanifest.xml')
        expect(inPackage.filter((path) => !listed.includes(path) && !path.endsWith(image.name))).toEqual([])
        expect(listed.filter((path) => !inPackage.includes(path))).toEqual([])

        for (const resource of resources) {
          const href = resource.attributes['href'] ?? ''
          expect(filesOf(resource)).toContain(href)
          const root = rootOf(files, href, version)
          expect(root.attributes['xmlns']).toBe(version.items)
          expect(root.attributes['identifier']).toMatch(NC_NAME)
          const kind = version.types.indexOf(resource.attributes['type'] ?? '')
          expect(strFromU8(files.find(({ path }) => path === href)!.bytes)).toContain(
            `\n<${version.roots[kind]} xmlns=`,
          )
          if (kind === 1) expectTest(root, ids)
          else if (kind === 2) expectStimulus(root)
          else expectItem(root, version)
        }
      }),
      { numRuns: 30 },
    )
  },
  120_000,
)

test('QTI 2 has none of the names of QTI 3, and the other way round', () => {
  fc.assert(
    fc.property(anyQuestions, (questions) => {
      const exam = anExam('exam', questions)
      const namesIn = (version: 'qti-2' | 'qti-3') =>
        writeQtiPackage([exam], version).flatMap(({ path, bytes }) =>
          /^(?:items|tests).*xml$/.test(path) ? namesOf(parseXml(strFromU8(bytes)).root!) : [],
        )
      expect(namesIn('qti-2').filter((name) => name.includes('-'))).toEqual([])
      expect(namesIn('qti-3').filter((name) => /[A-Z]/.test(name))).toEqual([])
      const asInTwo = (name: string) => (name === 'img' ? 'object' : olderName(name))
      const own = (names: string[]) => new Set(names.filter((name) => /[A-Z]/.test(name) && name !== 'contentBody'))
      expect(own(namesIn('qti-3').map(asInTwo))).toEqual(own(namesIn('qti-2')))
    }),
    { numRuns: 30 },
  )
})

/** The names of all elements and attributes. */
function namesOf(element: XmlElement): string[] {
  return [element.name, ...Object.keys(element.attributes), ...childrenOf(element).flatMap(namesOf)]
}

function filesOf(resource: XmlElement): string[] {
  return named(
    childrenOf(resource).filter(({ name }) => name === 'file'),
    'href',
  )
}

function expectTest(root: XmlElement, ids: readonly string[]): void {
  expect(root.name).toBe('assessmentTest')
  expect(childrenOf(root).map(({ name }) => name)).toEqual(['timeLimits', 'testPart'])
  const refs = named(allOf(root, 'assessmentItemRef'), 'identifier')
  expect(new Set(refs).size).toBe(refs.length)
  expect(ids).toEqual(expect.arrayContaining(refs))
}

function expectStimulus(root: XmlElement): void {
  expect(root.name).toBe('assessmentStimulus')
  expect(root.attributes['title']).toBe('A "plan"')
  expect(childrenOf(root).map(({ name }) => name)).toEqual(['stimulusBody'])
}

type ItemParts = { readonly interaction: XmlElement; readonly response: XmlElement; readonly right: readonly string[] }

/** What holds for each interaction beside what holds for every item. A type that is written adds its own. */
const INTERACTIONS: Readonly<Record<string, (item: ItemParts) => void>> = {
  choiceInteraction({ interaction, response, right }) {
    expect(identifiersIn(interaction)).toEqual(expect.arrayContaining([...right]))
    expect(response.attributes['cardinality']).toBe(right.length > 1 ? 'multiple' : 'single')
  },
  orderInteraction({ interaction, response, right }) {
    expect(identifiersIn(interaction)).toEqual(expect.arrayContaining([...right]))
    expect(response.attributes['cardinality']).toBe('ordered')
  },
  matchInteraction({ interaction, response, right }) {
    const [prompts, options] = allOf(interaction, 'simpleMatchSet').map((set) =>
      named(allOf(set, 'simpleAssociableChoice'), 'identifier'),
    )
    expect(right.map((pair) => pair.split(' ')[0])).toEqual(prompts)
    expect(options).toEqual(expect.arrayContaining(right.map((pair) => pair.split(' ')[1])))
    expect(new Set([...prompts!, ...options!]).size).toBe(prompts!.length + options!.length)
    expect(response.attributes).toMatchObject({ cardinality: 'multiple', baseType: 'directedPair' })
  },
  inlineChoiceInteraction({ interaction, response, right }) {
    expect(named(allOf(interaction, 'inlineChoice'), 'identifier')).toEqual(expect.arrayContaining([...right]))
    expect(response.attributes['cardinality']).toBe('single')
  },
  hotspotInteraction({ interaction, right }) {
    expect(named(allOf(interaction, 'hotspotChoice'), 'identifier')).toEqual(expect.arrayContaining([...right]))
  },
  textEntryInteraction({ response }) {
    expect(response.attributes['cardinality']).toBe('single')
  },
}

function identifiersIn(interaction: XmlElement): string[] {
  const identifiers = named(allOf(interaction, 'simpleChoice'), 'identifier')
  expect(new Set(identifiers).size).toBe(identifiers.length)
  return identifiers
}

function expectItem(root: XmlElement, { template, picture, feedback: holder }: Version): void {
  expect(root.name).toBe('assessmentItem')
  for (const name of ['title', 'adaptive', 'timeDependent']) expect(root.attributes[name]).toBeDefined()
  const order = childrenOf(root).map(({ name }) => ITEM_ORDER.indexOf(name))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  const [response] = allOf(root, 'responseDeclaration')
  const [interaction] = Object.keys(INTERACTIONS).flatMap((name) => allOf(root, name))
  INTERACTIONS[interaction!.name]!({
    interaction: interaction!,
    response: response!,
    right: allOf(response!, 'value').map(textIn),
  })
  expect(interaction!.attributes['responseIdentifier']).toBe(response!.attributes['identifier'])
  const outcomes = named(allOf(root, 'outcomeDeclaration'), 'identifier')
  for (const feedback of allOf(root, 'modalFeedback')) {
    expect(outcomes).toContain(feedback.attributes['outcomeIdentifier'])
    const inside = childrenOf(feedback).map(({ name }) => name)
    expect(holder === null ? inside.filter((name) => name === 'contentBody') : inside).toEqual(
      holder === null ? [] : [holder],
    )
  }
  const [processing] = allOf(root, 'responseProcessing')
  expect(processing!.children.length === 0 ? processing!.attributes['template'] : template).toBe(template)
  if (interaction!.name !== 'hotspotInteraction') return
  expect(childrenOf(interaction!)[0]!.name).toBe(picture)
  for (const { attributes } of allOf(interaction!, 'hotspotChoice'))
    expect(attributes['coords']).toMatch(/^\d+(?:,\d+)+$/)
}
