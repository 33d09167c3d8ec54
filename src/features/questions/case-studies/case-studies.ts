import { isBlank, normaliseLine, normaliseText } from '../question-text.ts'
import { claimId, derivePartId } from '../types/parts/part-ids.ts'
import { PartId, QuestionKey } from '../types/question-base.schema.ts'
import {
  CASE_STUDY_QUESTIONS,
  CaseStudy,
  MAX_TABS,
  type CaseStudyCode,
  type CaseStudyProblem,
} from './case-study.schema.ts'
import { caseStudiesOf, type InCaseStudy } from './case-blocks.ts'

/** Everything that keeps the case studies of an exam from being published with its questions. */
export function judgeCaseStudies(
  caseStudies: readonly CaseStudy[],
  questions: readonly InCaseStudy[],
): CaseStudyProblem[] {
  const problems: CaseStudyProblem[] = []
  const places = placesOf(questions)
  const known = new Set<string>()
  for (const { id, title } of caseStudies) {
    const note = (code: CaseStudyCode, about: string, questionId: string | null = null) =>
      problems.push({ code, caseStudyId: id, questionId, about })
    if (known.has(id)) {
      note('case-study-taken', id)
      continue
    }
    known.add(id)
    const own = places.get(id) ?? []
    if (own.length < CASE_STUDY_QUESTIONS.min) note('case-study-without-questions', title)
    if (own.length > CASE_STUDY_QUESTIONS.max) note('case-study-crowded', title)
    for (const [at, place] of own.entries())
      if (at > 0 && place !== (own[at - 1] ?? 0) + 1) note('case-study-apart', title, questions[place]?.id ?? null)
  }
  for (const { id, caseStudy } of questions)
    if (caseStudy !== undefined && !known.has(caseStudy))
      problems.push({ code: 'case-study-named-wrongly', caseStudyId: caseStudy, questionId: id, about: caseStudy })
  return problems
}

function placesOf(questions: readonly InCaseStudy[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, { caseStudy }] of questions.entries())
    if (caseStudy !== undefined) places.set(caseStudy, [...(places.get(caseStudy) ?? []), place])
  return places
}

/** All case studies, those that questions name first, in the order of the questions: the order in which files have them. */
export function inOrderOfQuestions(caseStudies: readonly CaseStudy[], questions: readonly InCaseStudy[]): CaseStudy[] {
  const named = caseStudiesOf(caseStudies, questions)
  return [...named, ...caseStudies.filter((one) => !named.includes(one))]
}

/** All Markdown texts of a case study. */
export function caseStudyTexts({ tabs }: CaseStudy): string[] {
  return tabs.map(({ body }) => body)
}

export function withCaseStudyTexts(caseStudy: CaseStudy, change: (text: string) => string): CaseStudy {
  return { ...caseStudy, tabs: caseStudy.tabs.map((tab) => ({ ...tab, body: change(tab.body) })) }
}

/** A case study as a file or a form gives it, nothing validated yet. */
export interface GivenCaseStudy {
  readonly id: string
  readonly title: string
  readonly tabs: readonly { readonly id?: string | undefined; readonly title: string; readonly body: string }[]
}

type Note = (code: CaseStudyCode, about: string) => void

/**
 * Brings a case study into the bank's form, and tells `note` everything that is wrong with it. What can be stored is kept: without a
 * title it has its key as one. Null if it can't be stored.
 */
export function readCaseStudy(given: GivenCaseStudy, note: Note): CaseStudy | null {
  const title = normaliseLine(given.title)
  const named = title || given.id
  if (!QuestionKey.safeParse(given.id).success) {
    note('case-study-key', given.id)
    return null
  }
  if (title === '') note('case-study-untitled', given.id)
  if (given.tabs.length === 0 || given.tabs.length > MAX_TABS) {
    note('case-study-tabs', `${named} (${given.tabs.length})`)
    return null
  }
  const taken = new Set(given.tabs.flatMap(({ id }) => id ?? []))
  const used = new Set<string>()
  const tabs = given.tabs.flatMap((tab, place) => {
    const name = normaliseLine(tab.title)
    const body = normaliseText(tab.body)
    if (name === '' || isBlank(body)) note('case-study-tab-empty', name || named)
    if (isBlank(body)) return []
    const isFree = tab.id !== undefined && PartId.safeParse(tab.id).success && !used.has(tab.id)
    const id = isFree && tab.id !== undefined ? tab.id : claimId(taken, tabIdOf(given.id, name))
    used.add(id)
    return [{ id, title: name || `Tab ${place + 1}`, body }]
  })
  if (tabs.length === 0) return null
  const parsed = CaseStudy.safeParse({ id: given.id, title: named, tabs })
  if (!parsed.success) note('case-study-too-long', title.slice(0, 100))
  return parsed.success ? parsed.data : null
}

/** The id of a tab that a file gives none. */
export function tabIdOf(caseStudyId: string, title: string): string {
  return derivePartId(caseStudyId, title)
}
