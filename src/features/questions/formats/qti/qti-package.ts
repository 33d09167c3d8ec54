import { textsOf } from '../../types/content-registry.ts'
import { qtiOf } from '../../types/format-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { strToU8 } from 'fflate'
import { markdownToHtml, markdownToInlineHtml } from '../markup/markdown-to-html.ts'
import { imagesShownBy } from '../../image-addresses.ts'
import { metadataXml } from './qti-manifest.ts'
import { blocksOf } from '../../case-studies/case-blocks.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import { imagesOfCaseStudy, stimulusIdOf, stimulusXml } from './qti-stimuli.ts'
import type { ExamToWrite, WrittenFile } from '../formats.schema.ts'
import { xmlText } from '../markup/xml-tree.ts'

const ITEM_SCHEMA = 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0'
const PACKAGE_SCHEMA = 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1'
const MATCH_CORRECT = 'https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml'

type ItemFile = {
  readonly question: Question
  readonly id: string
  readonly path: string
  readonly stimulus?: StimulusFile
}
type StimulusFile = { readonly caseStudy: CaseStudy; readonly id: string; readonly path: string }

/** A package of QTI 3.0: a manifest, a test for each exam, and a file for each question and case study. */
export function writeQtiPackage(exams: ExamToWrite[]): WrittenFile[] {
  const files: WrittenFile[] = []
  const resources: string[] = []
  for (const exam of exams) {
    const { slug } = exam.facts
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
    for (const item of items) {
      files.push({ path: item.path, bytes: strToU8(itemXml(item, exam)) })
      resources.push(resourceXml(item, pathsOf(imagesShownBy(textsOf(item.question)))))
    }
    for (const { caseStudy, id, path } of stimuli.values()) {
      const text = stimulusXml(caseStudy, { schema: ITEM_SCHEMA, addressOf: addressIn(exam) })
      files.push({ path, bytes: strToU8(text) })
      const own = [path, ...pathsOf(imagesOfCaseStudy(caseStudy))].map(fileXml).join('')
      resources.push(
        `    <resource identifier="${id}" type="imsqti_stimulus_xmlv3p0" href="${xmlText(path)}">${own}</resource>\n`,
      )
    }
    for (const { name, bytes } of exam.images.values()) files.push({ path: `items/${slug}/pictures/${name}`, bytes })
    const path = `tests/${slug}.xml`
    files.push({ path, bytes: strToU8(testXml(exam, items)) })
    const needed = items.map(({ id }) => `<dependency identifierref="${id}"/>`).join('')
    resources.push(
      `    <resource identifier="test-${slug}" type="imsqti_test_xmlv3p0" href="${path}"><file href="${path}"/>${needed}</resource>\n`,
    )
  }
  return [{ path: 'imsmanifest.xml', bytes: strToU8(manifestXml(resources)) }, ...files]
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

function manifestXml(resources: string[]): string {
  return [
    DECLARATION,
    `<manifest xmlns="${PACKAGE_SCHEMA}" identifier="package">\n`,
    '  <metadata><schema>QTI Package</schema><schemaversion>3.0.0</schemaversion></metadata>\n',
    '  <organizations/>\n',
    '  <resources>\n',
    ...resources,
    '  </resources>\n</manifest>\n',
  ].join('')
}

const fileXml = (path: string) => `<file href="${xmlText(path)}"/>`

function resourceXml(item: ItemFile, images: readonly string[]): string {
  const files = [item.path, ...images].map(fileXml).join('')
  const head = `identifier="${item.id}" type="imsqti_item_xmlv3p0" href="${xmlText(item.path)}"`
  const needed = item.stimulus ? `<dependency identifierref="${item.stimulus.id}"/>` : ''
  return `    <resource ${head}>${metadataXml(item.question)}${files}${needed}</resource>\n`
}

const itemRef = ({ id, path }: ItemFile) => `<qti-assessment-item-ref identifier="${id}" href="../${xmlText(path)}"/>`

/** The items of a test; those of a case study in a section that keeps them together and in order. */
function sectionsXml(items: readonly ItemFile[]): string[] {
  return blocksOf(items.map((item) => ({ ...item, caseStudy: item.stimulus?.caseStudy.id }))).map((block) => {
    const stimulus = block[0]?.stimulus
    const refs = block.map(itemRef)
    if (!stimulus) return `      ${refs.join('')}\n`
    const head = `identifier="section-of-${stimulus.caseStudy.id}" title="${xmlText(stimulus.caseStudy.title)}"`
    return `      <qti-assessment-section ${head} visible="true" keep-together="true">${refs.join('')}</qti-assessment-section>\n`
  })
}

function testXml({ facts }: ExamToWrite, items: readonly ItemFile[]): string {
  return [
    DECLARATION,
    `<qti-assessment-test xmlns="${ITEM_SCHEMA}" identifier="test-${facts.slug}" title="${xmlText(facts.title)}">\n`,
    `  <qti-time-limits max-time="${facts.timeLimitMinutes * 60}"/>\n`,
    '  <qti-test-part identifier="part-1" navigation-mode="nonlinear" submission-mode="simultaneous">\n',
    `    <qti-assessment-section identifier="section-1" title="${xmlText(facts.title)}" visible="true">\n`,
    ...sectionsXml(items),
    '    </qti-assessment-section>\n  </qti-test-part>\n</qti-assessment-test>\n',
  ].join('')
}

/** The address of an image in the file of an item or stimulus. */
function addressIn({ images }: ExamToWrite): (address: string) => string {
  return (address) => {
    const name = images.get(address)?.name
    return name === undefined ? address : `pictures/${encodeURIComponent(name)}`
  }
}

function itemXml({ question, stimulus }: ItemFile, exam: ExamToWrite): string {
  const addressOf = addressIn(exam)
  const {
    declaration,
    interaction,
    condition,
    responses = ['RESPONSE'],
    bodyOf = (html: string) => html,
  } = qtiOf(question, (text) => markdownToInlineHtml(text, addressOf))
  return [
    DECLARATION,
    `<qti-assessment-item xmlns="${ITEM_SCHEMA}" identifier="${question.id.replace(/^(?=\d)/, '_')}" title="${xmlText(question.id)}" adaptive="false" time-dependent="false" xml:lang="en">\n`,
    declaration,
    '  <qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float">\n',
    '    <qti-default-value><qti-value>0</qti-value></qti-default-value>\n',
    '  </qti-outcome-declaration>\n',
    question.explanation === ''
      ? ''
      : '  <qti-outcome-declaration identifier="FEEDBACK" cardinality="single" base-type="identifier"/>\n',
    stimulus === undefined
      ? ''
      : `  <qti-assessment-stimulus-ref identifier="${stimulusIdOf(stimulus.caseStudy.id)}" href="stimulus-${xmlText(stimulus.caseStudy.id)}.xml"/>\n`,
    '  <qti-item-body>\n',
    `    <div>${bodyOf(markdownToHtml(question.stem, addressOf))}</div>\n`,
    interaction,
    '  </qti-item-body>\n',
    processingXml(condition ?? conditionOf(responses), question.explanation !== ''),
    question.explanation === ''
      ? ''
      : `  <qti-modal-feedback outcome-identifier="FEEDBACK" identifier="explanation" show-hide="show"><qti-content-body>${markdownToHtml(question.explanation, addressOf)}</qti-content-body></qti-modal-feedback>\n`,
    '</qti-assessment-item>\n',
  ].join('')
}

/** That every response is the correct one; undefined where the template `match_correct` says so. */
function conditionOf(responses: readonly string[]): string | undefined {
  if (responses.length === 1 && responses[0] === 'RESPONSE') return undefined
  return `<qti-and>${responses.map(isCorrect).join('')}</qti-and>`
}

function isCorrect(response: string): string {
  return `<qti-match><qti-variable identifier="${response}"/><qti-correct identifier="${response}"/></qti-match>`
}

/** The template `match_correct` where it says all: it has no other condition, and shows no explanation. */
function processingXml(condition: string | undefined, isExplained: boolean): string {
  if (condition === undefined && !isExplained) return `  <qti-response-processing template="${MATCH_CORRECT}"/>\n`
  const explained =
    '    <qti-set-outcome-value identifier="FEEDBACK"><qti-base-value base-type="identifier">explanation</qti-base-value></qti-set-outcome-value>\n'
  return `  <qti-response-processing>
    <qti-response-condition>
      <qti-response-if>
        ${condition ?? isCorrect('RESPONSE')}
        <qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">1</qti-base-value></qti-set-outcome-value>
      </qti-response-if>
      <qti-response-else>
        <qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">0</qti-base-value></qti-set-outcome-value>
      </qti-response-else>
    </qti-response-condition>
${isExplained ? explained : ''}  </qti-response-processing>
`
}
