import type { Question } from '../../types/question-types.schema.ts'
import * as fc from 'fast-check'
import { strFromU8 } from 'fflate'
import { expect, test } from 'vitest'
import { anyQuestion } from '../../any-question.fixture.ts'
import { writeQtiPackage } from './qti-package.ts'
import type { ExamToWrite, WrittenFile } from '../formats.schema.ts'
import { allOf, parseXml, textIn, type XmlElement } from '../markup/xml-tree.ts'

// What the standard says of a package (1EdTech, QTI 3.0: information model, packaging, and the schema of items and tests).
const PACKAGE = 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1'
const ITEMS = 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0'
const TYPES = {
  item: 'imsqti_item_xmlv3p0',
  test: 'imsqti_test_xmlv3p0',
  stimulus: 'imsqti_stimulus_xmlv3p0',
}
/** An XML name without a colon, as ids and references of manifests must be. */
const NC_NAME = /^[A-Za-z_][A-Za-z0-9._-]*$/
const ITEM_ORDER = [
  'qti-response-declaration',
  'qti-outcome-declaration',
  'qti-assessment-stimulus-ref',
  'qti-item-body',
  'qti-response-processing',
  'qti-modal-feedback',
]

const image = { name: 'plan.webp', bytes: Uint8Array.from([1, 2, 3]) }

function anExam(slug: string, questions: Question[]): ExamToWrite {
  const facts = { title: 'A & <B>', slug, order: 1, timeLimitMinutes: 90, passingScore: 70, isFreeTrial: false }
  const caseStudies = [
    { id: '1', title: 'A "plan"', tabs: [{ id: 't1', title: 'One', body: '![A plan](/pictures/7)' }] },
  ]
  return { facts, courseTitle: 'A course', caseStudies, questions, images: new Map([['/pictures/7', image]]) }
}

function rootOf(files: readonly WrittenFile[], path: string): XmlElement {
  const { root } = parseXml(strFromU8(files.find((file) => file.path === path)!.bytes))
  if (!root) throw new Error(`${path} is no XML`)
  return root
}

const childrenOf = ({ children }: XmlElement) => children.flatMap((child) => (typeof child === 'string' ? [] : [child]))
const named = (elements: readonly XmlElement[], name: string) =>
  elements.map(({ attributes }) => attributes[name] ?? '')

const anyQuestions = fc.uniqueArray(anyQuestion, { selector: ({ id }) => id, minLength: 1, maxLength: 3 })

test('a package holds to what the standard says of manifests, tests and items', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(anyQuestions, (questions) => {
      const shown = questions.map((question) => ({
        ...question,
        caseStudy: '1',
        stem: `${question.stem}\n\n![A plan](/pictures/7)`,
      }))
      const files = writeQtiPackage([anExam('2-exams', shown), anExam('exam', questions)])
      const manifest = rootOf(files, 'imsmanifest.xml')
      expect(manifest.attributes['xmlns']).toBe(PACKAGE)
      expect(childrenOf(manifest).map(({ name }) => name)).toEqual(['metadata', 'organizations', 'resources'])
      const [about] = childrenOf(manifest)
      expect(childrenOf(about!).map(textIn)).toEqual(['QTI Package', '3.0.0'])
      const resources = childrenOf(childrenOf(manifest)[2]!)
      expect(new Set(named(resources, 'type'))).toEqual(new Set(Object.values(TYPES)))

      // Ids are names, each once in the file; a dependency leads to one; every file is listed, and every listed one is there.
      const ids = [manifest.attributes['identifier'] ?? '', ...named(resources, 'identifier')]
      for (const id of ids) expect(id).toMatch(NC_NAME)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toEqual(expect.arrayContaining(named(allOf(manifest, 'dependency'), 'identifierref')))
      const listed = resources.flatMap((resource) =>
        named(
          childrenOf(resource).filter(({ name }) => name === 'file'),
          'href',
        ),
      )
      const inPackage = files.map(({ path }) => path).filter((path) => path !== 'imsmanifest.xml')
      expect(inPackage.filter((path) => !listed.includes(path) && !path.endsWith(image.name))).toEqual([])
      expect(listed.filter((path) => !inPackage.includes(path))).toEqual([])

      for (const resource of resources) {
        const href = resource.attributes['href'] ?? ''
        expect(
          named(
            childrenOf(resource).filter(({ name }) => name === 'file'),
            'href',
          ),
        ).toContain(href)
        const root = rootOf(files, href)
        expect(root.attributes['xmlns']).toBe(ITEMS)
        expect(root.attributes['identifier']).toMatch(NC_NAME)
        if (resource.attributes['type'] === TYPES.test) expectTest(root, ids)
        else if (resource.attributes['type'] === TYPES.stimulus) expectStimulus(root)
        else expectItem(root)
      }
    }),
    { numRuns: 30 },
  )
})

function expectTest(root: XmlElement, ids: readonly string[]): void {
  expect(root.name).toBe('qti-assessment-test')
  expect(childrenOf(root).map(({ name }) => name)).toEqual(['qti-time-limits', 'qti-test-part'])
  const refs = named(allOf(root, 'qti-assessment-item-ref'), 'identifier')
  expect(new Set(refs).size).toBe(refs.length)
  expect(ids).toEqual(expect.arrayContaining(refs))
}

function expectStimulus(root: XmlElement): void {
  expect(root.name).toBe('qti-assessment-stimulus')
  expect(root.attributes['title']).toBe('A "plan"')
  expect(childrenOf(root).map(({ name }) => name)).toEqual(['qti-stimulus-body'])
}

type ItemParts = { readonly interaction: XmlElement; readonly response: XmlElement; readonly right: readonly string[] }

/** What holds for each interaction beside what holds for every item. A type that is written adds its own. */
const INTERACTIONS: Readonly<Record<string, (item: ItemParts) => void>> = {
  'qti-choice-interaction'({ interaction, response, right }) {
    expect(identifiersIn(interaction)).toEqual(expect.arrayContaining([...right]))
    expect(response.attributes['cardinality']).toBe(right.length > 1 ? 'multiple' : 'single')
  },
  'qti-order-interaction'({ interaction, response, right }) {
    expect(identifiersIn(interaction)).toEqual(expect.arrayContaining([...right]))
    expect(response.attributes['cardinality']).toBe('ordered')
  },
  'qti-match-interaction'({ interaction, response, right }) {
    const [prompts, options] = allOf(interaction, 'qti-simple-match-set').map((set) =>
      named(allOf(set, 'qti-simple-associable-choice'), 'identifier'),
    )
    expect(right.map((pair) => pair.split(' ')[0])).toEqual(prompts)
    expect(options).toEqual(expect.arrayContaining(right.map((pair) => pair.split(' ')[1])))
    expect(new Set([...prompts!, ...options!]).size).toBe(prompts!.length + options!.length)
    expect(response.attributes).toMatchObject({ cardinality: 'multiple', 'base-type': 'directedPair' })
  },
  'qti-inline-choice-interaction'({ interaction, response, right }) {
    expect(named(allOf(interaction, 'qti-inline-choice'), 'identifier')).toEqual(expect.arrayContaining([...right]))
    expect(response.attributes['cardinality']).toBe('single')
  },
  'qti-hotspot-interaction'({ interaction, right }) {
    expect(named(allOf(interaction, 'qti-hotspot-choice'), 'identifier')).toEqual(expect.arrayContaining([...right]))
  },
  'qti-text-entry-interaction'({ response }) {
    expect(response.attributes['cardinality']).toBe('single')
  },
}

function identifiersIn(interaction: XmlElement): string[] {
  const identifiers = named(allOf(interaction, 'qti-simple-choice'), 'identifier')
  expect(new Set(identifiers).size).toBe(identifiers.length)
  return identifiers
}

function expectItem(root: XmlElement): void {
  expect(root.name).toBe('qti-assessment-item')
  for (const name of ['title', 'adaptive', 'time-dependent']) expect(root.attributes[name]).toBeDefined()
  const order = childrenOf(root).map(({ name }) => ITEM_ORDER.indexOf(name))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  const [response] = allOf(root, 'qti-response-declaration')
  const [interaction] = Object.keys(INTERACTIONS).flatMap((name) => allOf(root, name))
  INTERACTIONS[interaction!.name]!({
    interaction: interaction!,
    response: response!,
    right: allOf(response!, 'qti-value').map(textIn),
  })
  expect(interaction!.attributes['response-identifier']).toBe(response!.attributes['identifier'])
  const outcomes = named(allOf(root, 'qti-outcome-declaration'), 'identifier')
  for (const feedback of allOf(root, 'qti-modal-feedback')) {
    expect(outcomes).toContain(feedback.attributes['outcome-identifier'])
    expect(childrenOf(feedback).map(({ name }) => name)).toEqual(['qti-content-body'])
  }
}
