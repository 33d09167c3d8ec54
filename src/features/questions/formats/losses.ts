import type { CaseStudy } from '../case-studies/case-study.schema.ts'
import { textsOf } from '../types/content-registry.ts'
import { canWrite, lossesOfParts } from '../types/format-registry.ts'
import type { Question } from '../types/question-types.schema.ts'
import { type LossKind, lossSentences } from './formats.copy.ts'
import { markdownToHtml } from './markup/markdown-to-html.ts'
import { IMAGE_SCHEME, imagesShownBy, withAddresses } from '../image-addresses.ts'
import type { ExamToWrite, ExportFormat, Loss, ReadQuestion, ReadStep } from './formats.schema.ts'

/** Formats in which a question's name or title is its key, so that other programs show it. */
const NAMED_BY_KEY: ReadonlySet<ExportFormat> = new Set(['gift', 'moodle-xml', 'qti-2', 'qti-3'])

const isQti = (format: ExportFormat) => format === 'qti-2' || format === 'qti-3'

/** Reads what was written and compares, so that exactly the real losses are reported. @param readBack the steps of one exam alone */
export function lossesOf(
  format: ExportFormat,
  exams: ExamToWrite[],
  readBack: (exam: ExamToWrite) => Iterable<ReadStep>,
): Loss[] {
  return exams.flatMap((exam) => {
    const ofExam = exam.questions.length === 0 ? [] : lossesOfExam(format)
    // QTI has HTML instead of Markdown: texts are equal if they are shown equally.
    const seen = isQti(format) ? (text: string) => markdownToHtml(text) : (text: string) => text
    const back: ReadQuestion[] = []
    const caseStudiesBack: CaseStudy[] = []
    for (const step of readBack(exam)) {
      if (step.kind === 'question') back.push(step.question)
      if (step.kind === 'case-study') caseStudiesBack.push(step.caseStudy)
    }
    ofExam.push(...lossesOfCaseStudies(format, exam, caseStudiesBack, seen))
    let place = 0
    const ofQuestions = exam.questions.flatMap((question) => {
      const other = canWrite(format, question) ? back[place++] : undefined
      return lossesOfQuestion(question, other, { exam, seen }).map((kind) => lossOf(exam, question.id, kind))
    })
    return [...ofExam.map((kind) => lossOf(exam, '', kind)), ...ofQuestions]
  })
}

function lossesOfExam(format: ExportFormat): LossKind[] {
  if (format === 'json' || format === 'markdown') return []
  // A note holds the question as our JSON does.
  if (format === 'anki') return ['facts']
  return [NAMED_BY_KEY.has(format) ? 'optionIds' : 'keys', isQti(format) ? 'factsButTime' : 'facts']
}

function lossesOfCaseStudies(
  format: ExportFormat,
  exam: ExamToWrite,
  back: readonly CaseStudy[],
  seen: (text: string) => string,
): LossKind[] {
  const given = exam.caseStudies ?? []
  if (back.length < given.length) return [back.length === 0 ? 'caseStudies' : 'someCaseStudies']
  const nameOf = (address: string) => {
    const image = exam.images.get(address)
    return image && IMAGE_SCHEME + image.name
  }
  const shown = ({ title, tabs }: CaseStudy) =>
    JSON.stringify([
      title,
      tabs.map((tab) => [format === 'moodle-xml' ? '' : tab.id, tab.title, seen(withAddresses(tab.body, nameOf))]),
    ])
  return given.every((one) => back.some((other) => shown(other) === shown(one))) ? [] : ['caseStudyTexts']
}

function lossOf(exam: ExamToWrite, questionId: string, kind: LossKind): Loss {
  return { examSlug: exam.facts.slug, questionId, sentence: lossSentences[kind] }
}

function lossesOfQuestion(
  out: Question,
  back: ReadQuestion | undefined,
  { exam, seen }: { exam: ExamToWrite; seen: (text: string) => string },
): LossKind[] {
  if (back?.reasons.some(({ code }) => code === 'key-taken' || code === 'repeated') === true) return ['repeat']
  if (!back?.question) return ['whole']
  const { question } = back
  const brought = new Set(back.images.map(({ name }) => IMAGE_SCHEME + name))
  const said = (text: string) => {
    const withNames = withAddresses(text, (address) => {
      const name = exam.images.get(address)?.name
      return name !== undefined && brought.has(IMAGE_SCHEME + name) ? IMAGE_SCHEME + name : undefined
    })
    return withNames
  }
  const isSame = (mine: string, other: string) => mine === other || seen(mine) === seen(other)
  const shown = imagesShownBy(textsOf(out)).filter((address) => exam.images.has(address))
  const checks: [LossKind, boolean][] = [
    ['stem', isSame(said(out.stem), question.stem)],
    ['explanation', isSame(said(out.explanation), question.explanation)],
    ['domain', out.domain === question.domain],
    ['caseStudy', out.caseStudy === undefined || out.caseStudy === question.caseStudy],
    ['difficulty', out.difficulty === question.difficulty],
    ['url', out.url === question.url],
    ['verified', out.verifiedOn === question.verifiedOn && out.guide === question.guide],
    ['needsReview', !out.needsReview || question.needsReview],
    ['images', shown.every((address) => brought.has(IMAGE_SCHEME + (exam.images.get(address)?.name ?? '')))],
  ]
  const ofParts = lossesOfParts(out, question, (mine, other) => isSame(said(mine), other))
  return inOrder([...ofParts, ...checks.flatMap(([kind, isKept]) => (isKept ? [] : [kind]))])
}

const ORDER = Object.keys(lossSentences)

function inOrder(kinds: LossKind[]): LossKind[] {
  return kinds.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
}
