import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { reasonFindings } from '../app/server/content.server.ts'
import type { BankCourse, BankQuestion, Finding } from '../features/questions/checks/bank-checks.schema.ts'
import type { CaseStudy } from '../features/questions/case-studies/case-study.schema.ts'
import { prepareFormat, readBank, recognise } from '../features/questions/formats/bank.ts'

/** A file of any format as a course with one exam, so that it is checked as the catalogue is. @throws if it can't be read */
export async function readBankFile(path: string): Promise<{ courses: BankCourse[]; findings: Finding[] }> {
  const files = [{ path: basename(path), bytes: new Uint8Array(await readFile(path)) }]
  const found = recognise(files)
  if (found !== null) await prepareFormat(found.format)
  const slug = basename(path, extname(path))
  const place = { courseSlug: slug, examSlug: slug, questionId: '' }
  const questions: BankQuestion[] = []
  const caseStudies: CaseStudy[] = []
  const findings: Finding[] = []
  for (const step of readBank(files)) {
    if (step.kind === 'finding') findings.push({ ...place, ...step.finding })
    else if (step.kind === 'case-study') caseStudies.push(step.caseStudy)
    else if (step.kind === 'question') {
      const { question, line, file } = step.question
      findings.push(...reasonFindings(step.question, file, place))
      if (question !== undefined) questions.push({ question, line })
    }
  }
  const exam = { slug, title: slug, file: path, caseStudies, questions }
  return { courses: [{ slug, title: slug, file: path, blueprint: null, exams: [exam] }], findings }
}
