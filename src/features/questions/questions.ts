import { reasonKinds, wordReason } from './questions.copy.ts'
import type { Judgement, Reason, ReasonCode, Verdict } from './questions.schema.ts'
import { isBlank, normaliseLine } from './question-text.ts'
import { readBodyOf, typeOfGiven } from './types/content-registry.ts'
import { readText } from './types/given-fields.ts'
import { DEFAULT_DOMAIN, Difficulty, GuideVersion, QuestionKey, VerifiedOn } from './types/question-base.schema.ts'
import type { Question } from './types/question-types.schema.ts'
import type { GivenFields, Note } from './types/type-validation.ts'

/** Judges whether a question may enter the bank, and brings it into the bank's form. Accepts any value. */
export function judgeQuestion(input: unknown): Judgement {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refused([reason('not-a-question', '')])
  const given: GivenFields = new Map(Object.entries(input))
  const reasons: Reason[] = []
  const note: Note = (code, field, about) => reasons.push(reason(code, field, about))
  const type = typeOfGiven(given.get('type'))
  if (type === null) return refused([reason('type-unsupported', 'type', String(given.get('type')))])
  const question = readQuestion(given, note, readBodyOf(type))
  if (reasons.some(({ code }) => verdictOf(code) === 'refused')) return refused(reasons)
  const needsReview = question.needsReview || reasons.length > 0
  return { verdict: needsReview ? 'needs-review' : 'good', question: { ...question, needsReview }, reasons }
}

function readQuestion(given: GivenFields, note: Note, readBody: ReturnType<typeof readBodyOf>): Question {
  const id = readKey(given, note)
  const stem = readText(given, 'question', note)
  if (isBlank(stem)) note('question-empty', 'question')
  const body = readBody(given, note, id)
  const explanation = readText(given, 'explanation', note)
  // A missing explanation is a mistake of the file. An empty one can be written later.
  if ((given.get('explanation') ?? null) === null) note('wrong-type', 'explanation')
  else if (isBlank(explanation)) note('explanation-empty', 'explanation')
  // The body is that of one type, which the compiler cannot follow through the registry.
  return {
    id,
    stem,
    explanation: isBlank(explanation) ? '' : explanation,
    domain: normaliseLine(readText(given, 'domain', note)) || DEFAULT_DOMAIN,
    needsReview: readReview(given.get('needs_review'), note),
    url: normaliseLine(readText(given, 'url', note)),
    difficulty: readDifficulty(given, note),
    ...readCaseStudyName(given, note),
    ...readFreshness(given, note),
    ...body,
  } as Question
}

/** What a reason does to the question. */
export const verdictOf = (code: ReasonCode): Exclude<Verdict, 'good'> => reasonKinds[code].verdict

/**
 * Adds the reasons that a reader of files found. The graver verdict counts; a question that is not refused is marked for
 * review.
 */
export function withReasons(judgement: Judgement, found: Reason[]): Judgement {
  if (found.length === 0) return judgement
  const reasons = [...found, ...judgement.reasons]
  if (judgement.verdict === 'refused' || found.some(({ code }) => verdictOf(code) === 'refused'))
    return refused(reasons)
  return { verdict: 'needs-review', question: { ...judgement.question, needsReview: true }, reasons }
}

export function reason(code: ReasonCode, field: string, about = field, line?: number): Reason {
  const facts = [about.length > 120 ? `${about.slice(0, 119)}…` : about]
  const named = { code, field, facts, sentence: wordReason(code, facts) }
  return line === undefined ? named : { ...named, line }
}

function readKey(given: GivenFields, note: Note): string {
  const id = readText(given, 'id', note)
  if (isBlank(id)) note('key-missing', 'id')
  else if (!QuestionKey.safeParse(id).success) note('key-malformed', 'id', id)
  return id
}

function readReview(value: unknown, note: Note): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  note('review-unknown', 'needs_review', String(value))
  return true
}

function readDifficulty(given: GivenFields, note: Note): Difficulty {
  const written = normaliseLine(readText(given, 'difficulty', note))
  const parsed = Difficulty.safeParse(written.toLowerCase())
  if (parsed.success) return parsed.data
  note('difficulty-unknown', 'difficulty', written)
  return ''
}

/** Whether the exam has the case study is judged with the exam (`judgeCaseStudies`). */
function readCaseStudyName(given: GivenFields, note: Note): { caseStudy?: string } {
  const name = normaliseLine(readText(given, 'case_study', note))
  if (name === '') return {}
  const parsed = QuestionKey.safeParse(name)
  if (parsed.success) return { caseStudy: parsed.data }
  note('case-study-unknown', 'case_study', name)
  return {}
}

function readFreshness(given: GivenFields, note: Note): Pick<Question, 'verifiedOn' | 'guide'> {
  const [day, version] = [
    normaliseLine(readText(given, 'verified_on', note)),
    normaliseLine(readText(given, 'guide', note)),
  ]
  const [verifiedOn, guide] = [VerifiedOn.safeParse(day), GuideVersion.safeParse(version)]
  if (day !== '' && !verifiedOn.success) note('verified-unknown', 'verified_on', day)
  if (version !== '' && !guide.success) note('guide-unknown', 'guide', version)
  return {
    ...(verifiedOn.success && { verifiedOn: verifiedOn.data }),
    ...(guide.success && { guide: guide.data }),
  }
}

function refused(reasons: Reason[]): Judgement {
  return { verdict: 'refused', reasons }
}
