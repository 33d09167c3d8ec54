import { kindOf, QUESTION_KINDS } from '../types/check-registry.ts'
import type { Question } from '../types/question-types.schema.ts'
import type { QuestionKind } from '../types/type-checks.ts'
import { balanceRemarks } from './balance.ts'
import { checkKinds, remark } from './bank-checks.copy.ts'
import { cueRemarks } from './cues.ts'
import { likenesses } from './likeness.ts'
import type { BankCourse, BankExam, BankQuestion, CueMeasure, Finding, Remark } from './bank-checks.schema.ts'
import { wordsOf } from './telling-words.ts'
import { caseStudyRemarks, wordingRemarks } from './wording.ts'

/** Everything that an author should look at, in the order of the given courses, exams and questions. */
export function checkBank(courses: BankCourse[], { wantsDifficulty = false } = {}): Finding[] {
  const placed = courses.flatMap((course) =>
    course.exams.flatMap((exam) => exam.questions.map((inExam) => ({ course, exam, inExam }))),
  )
  const findings: Finding[] = []
  const twice = repeatedIds(placed)
  const alike = likenesses(
    placed.map(({ inExam }) => inExam.question),
    (place) => nameOf(placed[place]?.course, placed[place]?.exam),
  )
  let place = 0
  const slugs = new Map<string, BankCourse>()
  for (const course of courses) {
    for (const exam of course.exams) {
      const other = slugs.get(exam.slug)
      const slugRemarks: Remark[] = other ? [remark('exam-slug-twice', exam.slug, `"${other.title}"`)] : []
      slugs.set(exam.slug, other ?? course)
      const ofCaseStudies = (exam.caseStudies ?? []).flatMap(caseStudyRemarks)
      const ofExam = [...slugRemarks, ...balanceRemarks(exam, course.blueprint), ...ofCaseStudies]
      findings.push(...ofExam.map((remark) => findingOf(remark, course, exam)))
      for (const inExam of exam.questions) {
        const remarks = [
          ...(twice.get(place) ?? []),
          ...(alike.get(place) ?? []),
          ...wordingRemarks(inExam.question, { blueprint: course.blueprint, wantsDifficulty }),
        ]
        findings.push(...remarks.map((remark) => findingOf(remark, course, exam, inExam)))
        place++
      }
    }
  }
  return findings
}

/** Cues of the whole bank. A single course varies by chance more than its author can correct, so courses are only measured. */
export function cueFindings(measures: readonly CueMeasure[]): Finding[] {
  return cueRemarks(measures).map((remark) => findingOf(remark))
}

/** All questions of the bank, in its order. */
export function questionsOf(exams: readonly BankExam[]): Question[] {
  return exams.flatMap((exam) => exam.questions.map(({ question }) => question))
}

export interface BankCounts {
  exams: number
  questions: number
  kinds: Record<QuestionKind, number>
  difficulties: Record<string, number>
  domains: Record<string, number>
  /** Those whose facts were compared with their sources on a day that is known. */
  verified: number
  /** The words of the stems: the median, and how many stems are long. */
  stems: { medianWords: number; long: number }
}

/** A stem with this many words or more is long, as in the professional exams. */
export const LONG_STEM_WORDS = 100

/** Counts questions by kind, difficulty, domain and length. Those without a difficulty count as `none`. */
export function countQuestions(exams: readonly BankExam[]): BankCounts {
  const counts: BankCounts = {
    exams: exams.length,
    questions: 0,
    kinds: Object.fromEntries(QUESTION_KINDS.map((kind) => [kind, 0])) as Record<QuestionKind, number>,
    difficulties: { easy: 0, medium: 0, hard: 0, none: 0 },
    domains: {},
    verified: 0,
    stems: { medianWords: 0, long: 0 },
  }
  const domains = new Map<string, number>()
  const lengths: number[] = []
  for (const question of questionsOf(exams)) {
    counts.questions++
    counts.kinds[kindOf(question)]++
    if (question.verifiedOn !== undefined) counts.verified++
    const difficulty = question.difficulty || 'none'
    counts.difficulties[difficulty] = (counts.difficulties[difficulty] ?? 0) + 1
    domains.set(question.domain, (domains.get(question.domain) ?? 0) + 1)
    lengths.push(wordsOf(question.stem).length)
  }
  const stems = { medianWords: medianOf(lengths), long: lengths.filter((length) => length >= LONG_STEM_WORDS).length }
  return { ...counts, domains: Object.fromEntries(domains), stems }
}

function medianOf(numbers: readonly number[]): number {
  const ascending = numbers.toSorted((a, b) => a - b)
  const middle = ascending.length >> 1
  const upper = ascending[middle] ?? 0
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? 0) + upper) / 2
}

interface Placed {
  course: BankCourse
  exam: BankExam
  inExam: BankQuestion
}

function repeatedIds(placed: Placed[]): Map<number, Remark[]> {
  const first = new Map<string, Placed>()
  const remarks = new Map<number, Remark[]>()
  for (const [place, here] of placed.entries()) {
    const { id } = here.inExam.question
    const other = first.get(id)
    first.set(id, other ?? here)
    if (!other) continue
    remarks.set(place, [remark('question-id-twice', id, nameOf(other.course, other.exam))])
  }
  return remarks
}

function findingOf(
  { code, facts, sentence }: Remark,
  course?: BankCourse,
  exam?: BankExam,
  inExam?: BankQuestion,
): Finding {
  return {
    code,
    severity: checkKinds[code].severity,
    ...(exam?.file !== undefined && { file: exam.file }),
    ...(inExam?.line !== undefined && { line: inExam.line }),
    courseSlug: course?.slug ?? '',
    examSlug: exam?.slug ?? '',
    questionId: inExam?.question.id ?? '',
    facts: [...facts],
    sentence,
  }
}

function nameOf(course?: BankCourse, exam?: BankExam): string {
  return `"${exam?.title ?? ''}" of "${course?.title ?? ''}"`
}
