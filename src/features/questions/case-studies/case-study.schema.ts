import { z } from 'zod'
import { MAX_TEXT_LENGTH, PartId, QuestionKey } from '../types/question-base.schema.ts'

export const MAX_TABS = 8
/** The questions that a case study has at least and at most. */
export const CASE_STUDY_QUESTIONS = { min: 2, max: 8 } as const

/** A page of a scenario: text, tables, code and pictures, as Markdown. */
export const CaseStudyTab = z.object({
  id: PartId,
  title: z.string().min(1).max(100),
  body: z.string().min(1).max(MAX_TEXT_LENGTH),
})
export type CaseStudyTab = z.infer<typeof CaseStudyTab>

/** A scenario that the questions which name it share. It is stored beside them, in the same version of the exam. */
export const CaseStudy = z.object({
  id: QuestionKey,
  title: z.string().min(1).max(200),
  tabs: z.array(CaseStudyTab).min(1).max(MAX_TABS),
})
export type CaseStudy = z.infer<typeof CaseStudy>

/** A case study as learners get it, once for all its questions, which are in the order that is shown. */
export const ShownCaseStudy = CaseStudy.extend({ questionIds: z.array(z.string()) })
export type ShownCaseStudy = z.infer<typeof ShownCaseStudy>

/** What is wrong with the case studies of an exam. */
export const CASE_STUDY_CODES = [
  'case-study-key',
  'case-study-taken',
  'case-study-untitled',
  'case-study-tabs',
  'case-study-tab-empty',
  'case-study-too-long',
  'case-study-nested',
  'case-study-stray',
  'case-study-without-questions',
  'case-study-crowded',
  'case-study-apart',
  'case-study-named-wrongly',
  'case-study-picture-missing',
] as const
export type CaseStudyCode = (typeof CASE_STUDY_CODES)[number]

export interface CaseStudyProblem {
  code: CaseStudyCode
  caseStudyId: string
  /** The question that the problem is about; null for the case study itself. */
  questionId: string | null
  /** What the sentence names. */
  about: string
}
