import { z } from 'zod'
import { failureTable } from '../../../lib/failure.ts'
import { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { MAX_PARTS, PartId, QuestionKey } from '../../questions/types/question-base.schema.ts'
import { EditText } from '../../questions/types/question-edit-base.schema.ts'
import { ExamPath, ExpectedVersion } from '../drafts/drafts.schema.ts'
import { copy } from './draft-case-studies.copy.ts'

/** Case studies per exam. */
export const MAX_CASE_STUDIES = 200

export const CaseStudyPath = ExamPath.extend({ caseStudyId: QuestionKey })

/** A case study as its form sends it. A tab without an id, or with one that is taken, gets one. */
export const CaseStudyEdit = z.object({
  title: EditText,
  tabs: z.array(z.object({ id: PartId.optional(), title: EditText, body: EditText })).max(MAX_PARTS),
})
export type CaseStudyEdit = z.infer<typeof CaseStudyEdit>

/** With an id from the client, sending it twice adds one case study. */
export const AddCaseStudy = z.object({ caseStudy: CaseStudyEdit, id: QuestionKey.optional() })
export const ChangeCaseStudy = ExpectedVersion.extend({ caseStudy: CaseStudyEdit })

/** A case study of an exam for its editors. */
export const CaseStudyView = z.object({
  caseStudy: CaseStudy,
  /** Of its content: another one after each change, and the former one after a change is taken back. */
  version: z.number().int(),
  /** The numbers of the questions that name it, from 1. */
  questionNumbers: z.array(z.number().int()),
  /** What keeps the exam from being published. */
  problems: z.array(z.string()),
})
export type CaseStudyView = z.infer<typeof CaseStudyView>

export const CaseStudyList = z.object({
  caseStudies: z.array(CaseStudyView),
  /** Problems of questions whose case study is not there. */
  problems: z.array(z.string()),
})
export type CaseStudyList = z.infer<typeof CaseStudyList>

export const fail = failureTable({
  'case-study.gone': { status: 404, kind: 'database', sentence: copy['case-study.gone'] },
  'case-study.used': { status: 409, kind: 'validation', sentence: copy['case-study.used'] },
  'case-study.full': { status: 409, kind: 'validation', sentence: copy['case-study.full'] },
  'case-study.refused': { status: 400, kind: 'validation', sentence: copy['case-study.refused'] },
})
