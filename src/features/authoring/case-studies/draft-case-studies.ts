import type { FieldProblem } from '../../../lib/failure.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import { judgeCaseStudies, readCaseStudy } from '../../questions/case-studies/case-studies.ts'
import { caseStudySentences } from '../../questions/case-studies/case-study.copy.ts'
import { CaseStudyTab, MAX_TABS, type CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import type { InCaseStudy } from '../../questions/case-studies/case-blocks.ts'
import { isBlank, normaliseLine, normaliseText } from '../../questions/question-text.ts'
import { contentTextOf } from '../../questions/types/parts/content-text.ts'
import { copy } from './draft-case-studies.copy.ts'
import type { CaseStudyEdit, CaseStudyList, CaseStudyView } from './draft-case-studies.schema.ts'

type EditJudgement =
  | { readonly verdict: 'accepted'; readonly caseStudy: CaseStudy }
  | { readonly verdict: 'refused'; readonly problems: readonly FieldProblem[] }

/** Judges a case study that an admin wrote, by itself. All problems are told at once, each with its field. */
export function judgeCaseStudyEdit(edit: CaseStudyEdit, id: string): EditJudgement {
  const problems = [...titleProblems(edit), ...edit.tabs.flatMap(tabProblems)]
  if (problems.length > 0) return { verdict: 'refused', problems }
  const codes: string[] = []
  const caseStudy = readCaseStudy({ id, ...edit }, (code, about) => codes.push(caseStudySentences[code](about)))
  if (caseStudy !== null && codes.length === 0) return { verdict: 'accepted', caseStudy }
  return { verdict: 'refused', problems: [{ field: 'title', message: codes[0] ?? copy['case-study.refused'] }] }
}

const TITLE_LENGTH = 200

function titleProblems({ title, tabs }: CaseStudyEdit): FieldProblem[] {
  const line = normaliseLine(title)
  return [
    line === '' ? [{ field: 'title', message: copy['fault.title.empty'] }] : [],
    line.length > TITLE_LENGTH ? [{ field: 'title', message: copy['fault.title.long'] }] : [],
    tabs.length === 0 || tabs.length > MAX_TABS ? [{ field: 'tabs', message: copy['fault.tabs'] }] : [],
  ].flat()
}

function tabProblems(tab: CaseStudyEdit['tabs'][number], place: number): FieldProblem[] {
  const field = (name: 'title' | 'body') => `tabs.${place}.${name}`
  const { title, body } = CaseStudyTab.shape
  const [name, text] = [normaliseLine(tab.title), normaliseText(tab.body)]
  return [
    name === '' ? [{ field: field('title'), message: copy['fault.tab.title.empty'] }] : [],
    name !== '' && !title.safeParse(name).success
      ? [{ field: field('title'), message: copy['fault.tab.title.long'] }]
      : [],
    isBlank(text) ? [{ field: field('body'), message: copy['fault.tab.body.empty'] }] : [],
    !isBlank(text) && !body.safeParse(text).success
      ? [{ field: field('body'), message: copy['fault.tab.body.long'] }]
      : [],
  ].flat()
}

/** 48 bits, so that it is a whole number in JSON. */
const VERSION_DIGITS = 12

/** The version of a case study's content, which a save must name. */
export function versionOfCaseStudy(caseStudy: CaseStudy): number {
  return Number.parseInt(sha256Hex(contentTextOf(caseStudy)).slice(0, VERSION_DIGITS), 16)
}

/** The case studies of an exam with the questions that name them, and everything that keeps them from being published. */
export function viewCaseStudies(caseStudies: readonly CaseStudy[], questions: readonly InCaseStudy[]): CaseStudyList {
  const found = judgeCaseStudies(caseStudies, questions).map(({ code, caseStudyId, about }) => ({
    caseStudyId,
    sentence: caseStudySentences[code](about),
  }))
  const known = new Set(caseStudies.map(({ id }) => id))
  const problemsOf = (is: (caseStudyId: string) => boolean) => [
    ...new Set(found.filter(({ caseStudyId }) => is(caseStudyId)).map(({ sentence }) => sentence)),
  ]
  return {
    caseStudies: caseStudies.map((caseStudy): CaseStudyView => ({
      caseStudy,
      version: versionOfCaseStudy(caseStudy),
      questionNumbers: questions.flatMap((question, place) => (question.caseStudy === caseStudy.id ? [place + 1] : [])),
      problems: problemsOf((id) => id === caseStudy.id),
    })),
    problems: problemsOf((id) => !known.has(id)),
  }
}
