import type { Question } from '../types/question-types.schema.ts'
import type { CaseStudy } from '../case-studies/case-study.schema.ts'
import { z } from 'zod'
import { FILE_CODES, SEVERITIES } from '../formats/formats.schema.ts'
import { type Blueprint, REASON_CODES } from '../questions.schema.ts'
import { type CheckCode, checkKinds } from './bank-checks.copy.ts'

/** A course, as the checks need it. `file` and `line` are given if the bank was read from files. */
export interface BankCourse {
  slug: string
  title: string
  file?: string
  blueprint: Blueprint | null
  exams: BankExam[]
}

export interface BankExam {
  slug: string
  title: string
  file?: string
  caseStudies?: readonly CaseStudy[]
  questions: BankQuestion[]
}

export interface BankQuestion {
  question: Question
  line?: number
}

/** In the order in which remarks are listed. */
export const CHECK_CODES = Object.keys(checkKinds) as CheckCode[]
export type { CheckCode }

/** An entry of the list that an author works through. Slugs and id are empty if a finding is about more than they name. */
export const Finding = z.object({
  code: z.enum([...FILE_CODES, ...REASON_CODES, ...CHECK_CODES]),
  severity: z.enum(SEVERITIES),
  file: z.string().optional(),
  line: z.int().optional(),
  courseSlug: z.string(),
  examSlug: z.string(),
  questionId: z.string(),
  /** What the sentence names. */
  facts: z.array(z.union([z.string(), z.number()])),
  sentence: z.string(),
})
export type Finding = z.infer<typeof Finding>

/** What a check says about a question or exam. Its place is added later. */
export interface Remark {
  code: CheckCode
  /** What the sentence names. */
  facts: readonly (string | number)[]
  sentence: string
}

export function inOrderOfCodes(remarks: readonly Remark[]): Remark[] {
  return remarks.toSorted((a, b) => CHECK_CODES.indexOf(a.code) - CHECK_CODES.indexOf(b.code))
}

/** Each place of an option; no type has more. */
export const CUE_PLACES = [
  'place-1',
  'place-2',
  'place-3',
  'place-4',
  'place-5',
  'place-6',
  'place-7',
  'place-8',
  'place-9',
  'place-10',
  'place-11',
  'place-12',
] as const

/** How a test-wise learner guesses, in the order of the table. The numbers of pairs are the percentage of words that they share. */
export const CUE_STRATEGIES = [
  'longest',
  'shortest',
  'most-like-others',
  'words-of-stem',
  'no-absolute-words',
  'pair-35',
  'pair-50',
  'pair-80',
  ...CUE_PLACES,
] as const
export type CueStrategy = (typeof CUE_STRATEGIES)[number]

/** How often a strategy finds the answer key, as shares of the questions to which it applies. */
export const CueMeasure = z.object({
  strategy: z.enum(CUE_STRATEGIES),
  applies: z.int(),
  found: z.number(),
  chance: z.number(),
})
export type CueMeasure = z.infer<typeof CueMeasure>
