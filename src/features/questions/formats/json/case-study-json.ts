import { caseStudyTexts, judgeCaseStudies, readCaseStudy, withCaseStudyTexts } from '../../case-studies/case-studies.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import { IMAGE_SCHEME, shownImages, withAddresses } from '../../image-addresses.ts'
import type { AttachedImage, ReadStep } from '../formats.schema.ts'
import { findingStep } from '../parsed-question.ts'
import { fieldsOf } from './json-values.ts'

interface Place {
  readonly file: string
  /** The line of the exam. */
  readonly line: number
  lineOf(value: unknown): number
  readonly pictures: ReadonlyMap<string, AttachedImage>
}

/** Reads the case studies of an exam in our JSON, and judges them with its questions. @returns the keys of those that can be stored */
export function* readJsonCaseStudies(
  exam: ReadonlyMap<string, unknown>,
  { file, line, lineOf, pictures }: Place,
): Generator<ReadStep, Set<string>> {
  const given = exam.get('case_studies')
  const read: { caseStudy: CaseStudy; line: number }[] = []
  for (const value of Array.isArray(given) ? given : []) {
    const at = lineOf(value)
    const { step, caseStudy } = readOne(value, file, at)
    yield* step
    if (caseStudy !== null) read.push({ caseStudy, line: at })
  }
  yield* problemsOf(read, exam.get('questions'), { file, line, lineOf })
  const known = new Set<string>()
  for (const { caseStudy, line: at } of read) {
    if (known.has(caseStudy.id)) continue
    known.add(caseStudy.id)
    yield { kind: 'case-study', file, line: at, ...withImages(caseStudy, pictures) }
  }
  return known
}

function readOne(value: unknown, file: string, line: number): { step: ReadStep[]; caseStudy: CaseStudy | null } {
  const step: ReadStep[] = []
  const fields = fieldsOf(value)
  const list = fields.get('tabs')
  const tabs = (Array.isArray(list) ? list : []).map((tab) => fieldsOf(tab))
  for (const holder of [fields, ...tabs])
    for (const name of NESTED)
      if (holder.has(name) && !(holder === fields && name === 'tabs'))
        step.push(findingStep('case-study-nested', { file, line, about: `${textOf(fields.get('id'))} (${name})` }))
  const caseStudy = readCaseStudy(
    {
      id: textOf(fields.get('id')),
      title: textOf(fields.get('title')),
      tabs: tabs.map((tab) => ({
        ...(typeof tab.get('id') === 'string' && { id: textOf(tab.get('id')) }),
        title: textOf(tab.get('title')),
        body: textOf(tab.get('body')),
      })),
    },
    (code, about) => step.push(findingStep(code, { file, line, about })),
  )
  return { step, caseStudy }
}

/** Fields with which a case study or its tab would hold another one. */
const NESTED = ['case_study', 'case_studies', 'tabs', 'questions']

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function* problemsOf(
  read: readonly { caseStudy: CaseStudy; line: number }[],
  list: unknown,
  { file, line, lineOf }: Omit<Place, 'pictures'>,
): Generator<ReadStep> {
  const lines = new Map(read.map((one) => [one.caseStudy.id, one.line]))
  const questions = (Array.isArray(list) ? list : []).map((value) => {
    const fields = fieldsOf(value)
    const caseStudy = textOf(fields.get('case_study'))
    return {
      id: textOf(fields.get('id')),
      line: lineOf(value),
      caseStudy: lines.has(caseStudy) ? caseStudy : undefined,
    }
  })
  const lineOfQuestion = new Map(questions.map((question) => [question.id, question.line]))
  for (const { code, caseStudyId, questionId, about } of judgeCaseStudies(
    read.map(({ caseStudy }) => caseStudy),
    questions,
  ))
    yield findingStep(code, {
      file,
      line: lineOfQuestion.get(questionId ?? '') ?? lines.get(caseStudyId) ?? line,
      about,
    })
}

function withImages(caseStudy: CaseStudy, pictures: ReadonlyMap<string, AttachedImage>) {
  const shown = withCaseStudyTexts(caseStudy, (text) =>
    withAddresses(text, (address) => {
      const image = pictures.get(address)
      return image && IMAGE_SCHEME + image.name
    }),
  )
  const names = new Set(caseStudyTexts(shown).flatMap(shownImages))
  return { caseStudy: shown, images: [...pictures.values()].filter(({ name }) => names.has(IMAGE_SCHEME + name)) }
}
