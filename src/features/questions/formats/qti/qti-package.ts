import { textsOf } from '../../types/content-registry.ts'
import { qtiOf } from '../../types/format-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import type { QtiTexts } from '../../types/type-formats.ts'
import { strToU8 } from 'fflate'
import { markdownToHtml } from '../markup/markdown-to-html.ts'
import { imagesShownBy } from '../../image-addresses.ts'
import { metadataXml } from './qti-manifest.ts'
import { blocksOf } from '../../case-studies/case-blocks.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import { imagesOfCaseStudy, stimulusIdOf, stimulusXml } from './qti-stimuli.ts'
import { elementsOf, qtiTexts, VERSIONS, type WrittenVersion } from './qti-texts.ts'
import type { ExamToWrite, WrittenFile } from '../formats.schema.ts'
import { xmlText } from '../markup/xml-tree.ts'

type ItemFile = {
  readonly question: Question
  readonly id: string
  readonly path: string
  readonly stimulus?: StimulusFile
}
type StimulusFile = { readonly caseStudy: CaseStudy; readonly id: string; readonly path: string }

interface Context {
  readonly version: WrittenVersion
  readonly exam: ExamToWrite
}

/** A package of QTI 2.2 or 3.0: a manifest, a test for each exam, and a file for each question and case study. */
export function writeQtiPackage(exams: ExamToWrite[], version: WrittenVersion): WrittenFile[] {
  const files: WrittenFile[] = []
  const resources: string[] = []
  for (const exam of exams) {
    const { slug } = exam.facts
    const context = { version, exam }
    const stimuli = new Map(
      (exam.caseStudies ?? []).map((caseStudy): [string, StimulusFile] => [
        caseStudy.id,
        { caseStudy, id: `stimulus-${slug}-${caseStudy.id}`, path: `items/${slug}/stimulus-${caseStudy.id}.xml` },
      ]),
    )
    const items = exam.questions.map((question, place): ItemFile => {
      const number = String(place + 1).padStart(4, '0')
      const stimulus = stimuli.get(question.caseStudy ?? '')
      const path = `items/${slug}/${number}-${question.id}.xml`
      return { question, id: `item-${slug}-${number}`, path, ...(stimulus && { stimulus }) }
    })
    const pathsOf = (addresses: readonly string[]) =>
      addresses.flatMap((address) => {
        const image = exam.images.get(address)
        return image ? `items/${slug}/pictures/${image.name}` : []
      })
    const add = (kind: ResourceKind, { id, path, xml, ...rest }: Resource & { readonly xml: string }) => {
      files.push({ path, bytes: strToU8(DECLARATION + xml) })
      resources.push(resourceXml(`imsqti_${kind}_${VERSIONS[version].resourceType}`, { id, path, ...rest }))
    }
    for (const item of items)
      add('item', {
        ...item,
        xml: itemXml(item, context),
        metadata: metadataXml(item.question),
        images: pathsOf(imagesShownBy(textsOf(item.question))),
        needed: item.stimulus ? [item.stimulus.id] : [],
      })
    for (const { caseStudy, id, path } of stimuli.values())
      add('stimulus', {
        id,
        path,
        xml: stimulusXml(caseStudy, { version, addressOf: addressIn(exam) }),
        images: pathsOf(imagesOfCaseStudy(caseStudy)),
      })
    for (const { name, bytes } of exam.images.values()) files.push({ path: `items/${slug}/pictures/${name}`, bytes })
    add('test', {
      id: `test-${slug}`,
      path: `tests/${slug}.xml`,
      xml: testXml(items, context),
      needed: items.map(({ id }) => id),
    })
  }
  return [{ path: 'imsmanifest.xml', bytes: strToU8(manifestXml(resources, version)) }, ...files]
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

function manifestXml(resources: string[], version: WrittenVersion): string {
  const { packageSchema, schema, schemaVersion } = VERSIONS[version]
  return [
    DECLARATION,
    `<manifest xmlns="${packageSchema}" identifier="package">\n`,
    `  <metadata><schema>${schema}</schema><schemaversion>${schemaVersion}</schemaversion></metadata>\n`,
    '  <organizations/>\n',
    '  <resources>\n',
    ...resources,
    '  </resources>\n</manifest>\n',
  ].join('')
}

type ResourceKind = 'item' | 'stimulus' | 'test'
interface Resource {
  readonly id: string
  readonly path: string
  readonly metadata?: string
  readonly images?: readonly string[]
  /** The ids of other resources. */
  readonly needed?: readonly string[]
}

function resourceXml(type: string, { id, path, metadata = '', images = [], needed = [] }: Resource): string {
  const files = [path, ...images].map((one) => `<file href="${xmlText(one)}"/>`).join('')
  const dependencies = needed.map((one) => `<dependency identifierref="${one}"/>`).join('')
  return `    <resource identifier="${id}" type="${type}" href="${xmlText(path)}">${metadata}${files}${dependencies}</resource>\n`
}

/** The items of a test; those of a case study in a section that keeps them together and in order. */
function sectionsXml(items: readonly ItemFile[], element: QtiTexts['element']): string[] {
  return blocksOf(items.map((item) => ({ ...item, caseStudy: item.stimulus?.caseStudy.id }))).flatMap((block) => {
    const stimulus = block[0]?.stimulus
    const refs = block.map(({ id, path }) => element('assessmentItemRef', { identifier: id, href: `../${path}` }))
    if (!stimulus) return refs
    const { id, title } = stimulus.caseStudy
    const attributes = { identifier: `section-of-${id}`, title, visible: true, keepTogether: true }
    return [element('assessmentSection', attributes, ...refs)]
  })
}

function testXml(items: readonly ItemFile[], { version, exam: { facts } }: Context): string {
  const element = elementsOf(version)
  const { title } = facts
  return element(
    'assessmentTest',
    { xmlns: VERSIONS[version].itemSchema, identifier: `test-${facts.slug}`, title },
    element('timeLimits', { maxTime: facts.timeLimitMinutes * 60 }),
    element(
      'testPart',
      { identifier: 'part-1', navigationMode: 'nonlinear', submissionMode: 'simultaneous' },
      element('assessmentSection', { identifier: 'section-1', title, visible: true }, ...sectionsXml(items, element)),
    ),
  )
}

/** The address of an image in the file of an item or stimulus. */
function addressIn({ images }: ExamToWrite): (address: string) => string {
  return (address) => {
    const name = images.get(address)?.name
    return name === undefined ? address : `pictures/${encodeURIComponent(name)}`
  }
}

function itemXml({ question, stimulus }: ItemFile, { version, exam }: Context): string {
  const addressOf = addressIn(exam)
  const texts = qtiTexts(version, addressOf)
  const { element } = texts
  const {
    declarations,
    interaction,
    condition,
    responses = ['RESPONSE'],
    bodyOf = (html: string) => html,
  } = qtiOf(question, texts)
  const isExplained = question.explanation !== ''
  const caseStudyId = stimulus?.caseStudy.id
  return element(
    'assessmentItem',
    {
      xmlns: VERSIONS[version].itemSchema,
      identifier: question.id.replace(/^(?=\d)/, '_'),
      title: question.id,
      adaptive: false,
      timeDependent: false,
      'xml:lang': 'en',
    },
    ...declarations,
    element(
      'outcomeDeclaration',
      { identifier: 'SCORE', cardinality: 'single', baseType: 'float', normalMaximum: 1 },
      element('defaultValue', {}, element('value', {}, '0')),
    ),
    ...(isExplained
      ? [element('outcomeDeclaration', { identifier: 'FEEDBACK', cardinality: 'single', baseType: 'identifier' })]
      : []),
    ...(caseStudyId === undefined
      ? []
      : [
          element('assessmentStimulusRef', {
            identifier: stimulusIdOf(caseStudyId),
            href: `stimulus-${caseStudyId}.xml`,
          }),
        ]),
    element('itemBody', {}, `<div>${bodyOf(markdownToHtml(question.stem, addressOf))}</div>\n${interaction}`),
    processingXml(condition ?? conditionOf(responses, element), { isExplained, version }),
    ...(isExplained ? [feedbackXml(markdownToHtml(question.explanation, addressOf), version)] : []),
  )
}

function feedbackXml(html: string, version: WrittenVersion): string {
  const element = elementsOf(version)
  return element(
    'modalFeedback',
    { outcomeIdentifier: 'FEEDBACK', identifier: 'explanation', showHide: 'show' },
    version === 'qti-3' ? element('contentBody', {}, html) : html,
  )
}

/** That every response is the correct one; undefined where the template `match_correct` says so. */
function conditionOf(responses: readonly string[], element: QtiTexts['element']): string | undefined {
  if (responses.length === 1 && responses[0] === 'RESPONSE') return undefined
  return element('and', {}, ...responses.map((response) => isCorrect(response, element)))
}

function isCorrect(identifier: string, element: QtiTexts['element']): string {
  return element('match', {}, element('variable', { identifier }), element('correct', { identifier }))
}

/** The template `match_correct` where it says all: it has no other condition, and shows no explanation. */
function processingXml(
  condition: string | undefined,
  { isExplained, version }: { isExplained: boolean; version: WrittenVersion },
): string {
  const element = elementsOf(version)
  if (condition === undefined && !isExplained)
    return element('responseProcessing', { template: VERSIONS[version].matchCorrect })
  const set = (identifier: string, baseType: string, value: string) =>
    element('setOutcomeValue', { identifier }, element('baseValue', { baseType }, value))
  return element(
    'responseProcessing',
    {},
    element(
      'responseCondition',
      {},
      element('responseIf', {}, condition ?? isCorrect('RESPONSE', element), set('SCORE', 'float', '1')),
      element('responseElse', {}, set('SCORE', 'float', '0')),
    ),
    ...(isExplained ? [set('FEEDBACK', 'identifier', 'explanation')] : []),
  )
}
