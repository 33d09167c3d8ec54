import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { contentTextOf } from '../../questions/types/parts/content-text.ts'
import { textsOf } from '../../questions/types/content-registry.ts'
import {
  changedTypeParts,
  editField,
  editProblems,
  furtherProblems,
  summaryOf,
  toGiven,
} from '../../questions/types/edit-registry.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import type { FieldProblem } from '../../../lib/failure.ts'
import { stemWords } from '../../questions/types/stem-words-registry.ts'
import { checkBank } from '../../questions/checks/bank-checks.ts'
import { judgeQuestion, reason, verdictOf } from '../../questions/questions.ts'
import { type Reason } from '../../questions/questions.schema.ts'
import { copy as catalogueCopy } from '../../catalogue/catalogue.copy.ts'
import type { CourseFactsView } from '../../catalogue/catalogue.schema.ts'
import { copy } from './drafts.copy.ts'
import type { ChangedPart, DraftChanges, ListedQuestion, QuestionList, QuestionFilter } from './drafts.schema.ts'
import type { ExamSettings } from '../../catalogue/exam-settings.schema.ts'

/** Questions per exam. */
export const MAX_QUESTIONS = 1000
/** Questions per page of the list. */
const LIST_SIZE = 50

type EditJudgement =
  | { readonly verdict: 'accepted'; readonly question: Question; readonly notes: readonly Reason[] }
  | { readonly verdict: 'refused'; readonly problems: readonly FieldProblem[] }

/**
 * Judges an edit by the rules of the bank. `stored` is the question that it changes: fields that the editor does not show, and
 * the ids of its parts, stay.
 */
export function judgeEdit(edit: QuestionEdit, about: { id: string; stored: Question | null }): EditJudgement {
  const { id, stored } = about
  const problems = editProblems(edit, stored)
  if (problems.length > 0) return { verdict: 'refused', problems: [...judgeableProblems(edit), ...problems] }
  const judged = judgeQuestion({
    id,
    question: edit.stem,
    explanation: edit.explanation,
    domain: edit.domain,
    url: edit.url,
    needs_review: edit.needsReview,
    difficulty: edit.difficulty ?? stored?.difficulty ?? '',
    case_study: edit.caseStudy ?? stored?.caseStudy ?? '',
    verified_on: edit.verifiedOn ?? stored?.verifiedOn ?? '',
    guide: edit.guide ?? stored?.guide ?? '',
    ...toGiven(edit, stored),
  })
  if (judged.verdict === 'refused') {
    const grave = judged.reasons.filter(({ code }) => verdictOf(code) === 'refused')
    return { verdict: 'refused', problems: grave.map((one) => toProblem(edit, one)) }
  }
  return { verdict: 'accepted', question: judged.question, notes: judged.reasons }
}

/** Problems that the bank's rules would report next, so that the author sees all of them at once. */
function judgeableProblems(edit: QuestionEdit): FieldProblem[] {
  const empty = edit.stem.trim() === '' ? [toProblem(edit, reason('question-empty', 'question'))] : []
  return [...empty, ...furtherProblems(edit)]
}

const editFieldNames: Readonly<Record<string, string>> = { question: 'stem', needs_review: 'needsReview' }

function toProblem({ type }: QuestionEdit, { field, sentence }: Reason): FieldProblem {
  return { field: editField(type, field) ?? editFieldNames[field] ?? field, message: sentence }
}

type ExamContent = {
  readonly settings: ExamSettings
  readonly questions: readonly Question[]
  readonly caseStudies?: readonly CaseStudy[]
}

/** The differences between the current version and the draft. */
export function compareExams(current: ExamContent, draft: ExamContent): Omit<DraftChanges, 'version'> {
  const before = new Map(current.questions.map((question) => [question.id, question]))
  const after = new Set(draft.questions.map(({ id }) => id))
  const remaining = draft.questions.filter(({ id }) => before.has(id))
  const named = ({ id, stem, type }: Question) => ({ id, stem, type })
  return {
    settings: (Object.keys(current.settings) as (keyof ExamSettings)[]).flatMap((name) => {
      const [from, to] = [String(current.settings[name]), String(draft.settings[name])]
      return from === to ? [] : [{ name, from, to }]
    }),
    added: draft.questions.filter(({ id }) => !before.has(id)).map(named),
    removed: current.questions.filter(({ id }) => !after.has(id)).map(named),
    changed: draft.questions.flatMap((question) => {
      const old = before.get(question.id)
      const parts = old === undefined ? [] : changedParts(old, question)
      return parts.length === 0 ? [] : [{ ...named(question), parts }]
    }),
    caseStudies: changedCaseStudies(current.caseStudies ?? [], draft.caseStudies ?? []),
    isReordered: current.questions
      .filter(({ id }) => after.has(id))
      .some(({ id }, place) => id !== remaining[place]?.id),
  }
}

/** The titles of the case studies that were added, removed or changed. */
function changedCaseStudies(before: readonly CaseStudy[], after: readonly CaseStudy[]): string[] {
  const textOf = (list: readonly CaseStudy[], id: string) => contentTextOf(list.find((one) => one.id === id) ?? {})
  const titles = new Map([...before, ...after].map(({ id, title }) => [id, title]))
  return [...titles].filter(([id]) => textOf(before, id) !== textOf(after, id)).map(([, title]) => title)
}

export function isChanged(changes: Omit<DraftChanges, 'version'>): boolean {
  const { settings, added, removed, changed, caseStudies, isReordered } = changes
  return isReordered || settings.length + added.length + removed.length + changed.length + caseStudies.length > 0
}

/** The parts of a question that differ; none if learners see the same. */
export function changedParts(old: Question, now: Question): ChangedPart[] {
  const factsOf = ({ domain, url, difficulty, needsReview, caseStudy }: Question) =>
    JSON.stringify([domain, url, difficulty, needsReview, caseStudy])
  return [
    old.stem === now.stem ? [] : (['stem'] as const),
    changedTypeParts(old, now),
    old.explanation === now.explanation ? [] : (['explanation'] as const),
    factsOf(old) === factsOf(now) ? [] : (['facts'] as const),
  ].flat()
}

/** A page of the questions that contain every word of the search. `current` is the published version. */
export function listQuestions(
  questions: readonly Question[],
  current: readonly Question[],
  filter: QuestionFilter,
  caseStudies: readonly CaseStudy[] = [],
): QuestionList {
  const titles = new Map(caseStudies.map(({ id, title }) => [id, title]))
  const before = new Map(current.map((question) => [question.id, question]))
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = questions
    .map((question, index) => ({ question, number: index + 1, state: stateOf(before.get(question.id), question) }))
    .filter(({ question, state }) => {
      if (filter.show === 'review' && !question.needsReview) return false
      if (filter.show === 'changed' && state === 'same') return false
      const text = searchable(question)
      return words.every((word) => text.includes(word))
    })
  const pageCount = Math.max(1, Math.ceil(matches.length / LIST_SIZE))
  const page = Math.min(filter.page, pageCount)
  return {
    questions: matches.slice((page - 1) * LIST_SIZE, page * LIST_SIZE).map(({ question, ...rest }) => ({
      ...rest,
      id: question.id,
      stem: excerpt(question),
      domain: question.domain,
      difficulty: question.difficulty,
      summary: summaryOf(question),
      caseStudy: titles.get(question.caseStudy ?? '') ?? null,
      needsReview: question.needsReview,
    })),
    keys: questions.map(({ id }) => id),
    foundCount: matches.length,
    totalCount: questions.length,
    page,
    pageCount,
  }
}

function stateOf(old: Question | undefined, now: Question): ListedQuestion['state'] {
  if (old === undefined) return 'added'
  return changedParts(old, now).length === 0 ? 'same' : 'changed'
}

function searchable(question: Question): string {
  return [question.id, ...textsOf(question), question.domain].join('\n').toLowerCase()
}

const EXCERPT = 400

/** The beginning of a question's text on one line without its marks, at most EXCERPT characters. */
export function excerpt({ type, stem }: { readonly type: string | null; readonly stem: string }): string {
  const line = stemWords({ type, stem: stem.slice(0, EXCERPT * 4) })
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT - 1)}…` : line
}

/** A problem that blocks publishing a course, or should be reviewed before; and where to correct it. */
export type Blocker = {
  /** Whether it blocks publishing. */
  readonly isBlock: boolean
  readonly sentence: string
  readonly where: { readonly step: 'facts' | 'exams' } | { readonly examId: string; readonly questionId: string | null }
  /** The number of the question in its exam, from 1; null for other blockers. */
  readonly number: number | null
  readonly examTitle: string | null
}

/** Missing facts of a course, then the findings of the bank's checks; blocking ones first. */
export function findBlockers(
  course: Pick<CourseFactsView, 'slug' | 'title' | 'priceCents' | 'description' | 'category' | 'blueprint'>,
  exams: readonly (ExamContent & { familyId: string; slug: string })[],
): Blocker[] {
  const ofCourse = (isBlock: boolean, step: 'facts' | 'exams', sentence: string): Blocker => ({
    isBlock,
    sentence,
    where: { step },
    number: null,
    examTitle: null,
  })
  const isFree = exams.some(({ settings }) => settings.isFreeTrial)
  const lacks = [
    course.priceCents === 0 ? [ofCourse(false, 'facts', copy['look.price'])] : [],
    course.description === catalogueCopy['course.description.default']
      ? [ofCourse(false, 'facts', copy['look.description'])]
      : [],
    course.category === null ? [ofCourse(false, 'facts', copy['look.level'])] : [],
    course.blueprint === null ? [ofCourse(false, 'facts', copy['look.blueprint'])] : [],
    exams.length === 0 ? [ofCourse(true, 'exams', copy['look.no-exams'])] : [],
    exams.length > 0 && !isFree ? [ofCourse(false, 'exams', copy['look.no-trial'])] : [],
  ].flat()
  const empty = exams.flatMap(({ familyId, settings, questions }): Blocker[] =>
    questions.length > 0
      ? []
      : [
          {
            isBlock: true,
            sentence: copy['look.no-questions'],
            where: { examId: familyId, questionId: null },
            number: null,
            examTitle: settings.title,
          },
        ],
  )
  const bank = exams.map(({ slug, settings, questions, caseStudies = [] }) => ({
    slug,
    title: settings.title,
    caseStudies,
    questions: questions.map((question) => ({ question })),
  }))
  const found = checkBank([{ slug: course.slug, title: course.title, blueprint: course.blueprint, exams: bank }])
    .toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
    .flatMap(({ examSlug, questionId, sentence }): Blocker[] => {
      const exam = exams.find(({ slug }) => slug === examSlug)
      if (exam === undefined) return []
      const place = exam.questions.findIndex(({ id }) => id === questionId)
      return [
        {
          isBlock: false,
          sentence,
          where: { examId: exam.familyId, questionId: questionId === '' ? null : questionId },
          number: place === -1 ? null : place + 1,
          examTitle: exam.settings.title,
        },
      ]
    })
  return [...lacks, ...empty, ...found].toSorted((a, b) => Number(b.isBlock) - Number(a.isBlock))
}
