import { z } from 'zod'
import { compareExams, changedParts, isChanged } from '../../features/authoring/drafts/drafts.ts'
import type { ChangedPart } from '../../features/authoring/drafts/drafts.schema.ts'
import type { ExamSettings } from '../../features/catalogue/exam-settings.schema.ts'
import { contentTextOf } from '../../features/questions/types/parts/content-text.ts'
import { contentText } from '../../features/questions/types/content-registry.ts'
import type { StudySheet } from '../../features/questions/study-sheet.schema.ts'
import type { CaseStudy } from '../../features/questions/case-studies/case-study.schema.ts'
import type { Question } from '../../features/questions/types/question-types.schema.ts'
import { sha256Hex } from '../../lib/sha256.ts'

/** For each text by its name: the hashes of the versions that the catalogue delivered to this shop, each with the latest time. */
export const DeliveredTexts = z.record(z.string(), z.record(z.string(), z.iso.datetime()))
export type DeliveredTexts = z.infer<typeof DeliveredTexts>

/** A text that stays as the shop has it, although the catalogue has another. */
export type Kept = {
  /** The key of a question or case study, or the name of a setting or field. */
  readonly name: string
  readonly why: 'changed' | 'removed'
  /** Whether this shop never received the catalogue's text, so that an admin should read it. */
  readonly isNewer: boolean
}

type Text = {
  /** The hash of the shop's text; null if it has none. */
  readonly shop: string | null
  readonly catalogue: string
  /** When the catalogue delivered a version of this text, by hash. */
  readonly deliveredAt: Readonly<Record<string, string>>
  /** The hashes of every text that was published. */
  readonly published: ReadonlySet<string>
}

type History = { readonly draftSince: string | null; readonly lastPublishedAt: string }

type Decision = 'same' | 'take' | 'keep'

/**
 * Compares three texts: the shop's, the catalogue's, and those that the catalogue delivered before. A text of the shop that is none
 * of the latter is an admin's. A delivered text that is missing was removed by an admin, unless its draft was discarded unpublished.
 */
export function decide(
  { shop, catalogue, deliveredAt, published }: Text,
  { draftSince, lastPublishedAt }: History,
): Decision {
  if (shop === catalogue) return 'same'
  const wasRead = (at: string) => (draftSince !== null && draftSince <= at) || lastPublishedAt > at
  if (shop === null) return published.size > 0 || Object.values(deliveredAt).some(wasRead) ? 'keep' : 'take'
  if (deliveredAt[shop] === undefined) return 'keep'
  const at = deliveredAt[catalogue]
  return at !== undefined && (published.has(catalogue) || wasRead(at)) ? 'keep' : 'take'
}

export const textHash = (value: unknown) => sha256Hex(JSON.stringify(value))
const questionHash = (question: Question) => sha256Hex(contentText(question))
export type SheetName = `study/${string}`
export const isSheetName = (name: string): name is SheetName => name.startsWith('study/')

/** Study sheets under the names that they have among the texts of their course. */
export function sheetTexts(sheets: readonly StudySheet[]): Readonly<Record<SheetName, StudySheet>> {
  return Object.fromEntries(sheets.map((sheet) => [`study/${sheet.slug}` as const, inOrder(sheet)]))
}

/** The hash of a sheet must not depend on where its fields were read. */
function inOrder({ slug, domain, order, guide, verifiedOn, sources, body }: StudySheet): StudySheet {
  return { slug, domain, order, guide, verifiedOn, sources, body }
}

const questionName = (id: string) => `questions/${id}`
const caseStudyHash = (caseStudy: CaseStudy) => sha256Hex(contentTextOf(caseStudy))
const CASE_STUDIES = 'case-studies/'
const caseStudyName = (id: string) => `${CASE_STUDIES}${id}`

export type ExamContent = {
  readonly settings: ExamSettings
  readonly questions: readonly Question[]
  readonly caseStudies: readonly CaseStudy[]
}

/** The hash of each setting, question and case study of an exam. */
export function examTexts({ settings, questions, caseStudies }: Omit<ExamContent, 'settings'> & { settings: object }) {
  return new Map<string, string>([
    ...Object.entries(settings).map(([name, value]) => [name, textHash(value)] as const),
    ...questions.map((question) => [questionName(question.id), questionHash(question)] as const),
    ...caseStudies.map((one) => [caseStudyName(one.id), caseStudyHash(one)] as const),
  ])
}

/** Adds texts that are delivered at this time. */
export function addDelivered(
  delivered: DeliveredTexts,
  texts: Iterable<readonly [string, string]>,
  at: Date,
): DeliveredTexts {
  const next = { ...delivered }
  for (const [name, hash] of texts) next[name] = { ...next[name], [hash]: at.toISOString() }
  return next
}

/** An exam as the shop has it. */
export type ShopExam = {
  readonly current: ExamContent
  readonly draft: ExamContent | null
  readonly history: History
  /** The hashes that each text had in any version. */
  readonly published: ReadonlyMap<string, ReadonlySet<string>>
  readonly delivered: DeliveredTexts
}

/** `settings` is null for an exam that is no longer in the catalogue. */
export type CatalogueExam = {
  readonly settings: ExamSettings | null
  readonly questions: readonly Question[]
  readonly caseStudies: readonly CaseStudy[]
}

export type ExamPlan = {
  readonly settings: Partial<ExamSettings>
  readonly added: readonly Question[]
  readonly corrected: readonly { readonly question: Question; readonly parts: readonly ChangedPart[] }[]
  /** Those that are new or corrected, and those that questions of the plan name and the shop lacks. */
  readonly caseStudies: readonly CaseStudy[]
  /** Questions that say the same in the shop, and that were verified later in the catalogue. */
  readonly verified: readonly Question[]
  readonly kept: readonly Kept[]
  /** Questions that came from the catalogue and are no longer in it. They stay. */
  readonly withdrawn: readonly string[]
  /** The catalogue's texts that the shop has after the update and that were not recorded before. */
  readonly delivered: readonly (readonly [name: string, hash: string])[]
}

const NO_TEXTS: ReadonlySet<string> = new Set()

/** What an update changes in an exam: in its draft, or in the draft that it begins. */
export function planExam(shop: ShopExam, catalogue: CatalogueExam): ExamPlan {
  const latest = shop.draft ?? shop.current
  const texts = examTexts(latest)
  const judge = (name: string, hash: string) => {
    const deliveredAt = shop.delivered[name] ?? {}
    const text = {
      shop: texts.get(name) ?? null,
      catalogue: hash,
      deliveredAt,
      published: shop.published.get(name) ?? NO_TEXTS,
    }
    return { decision: decide(text, shop.history), isNewer: deliveredAt[hash] === undefined }
  }
  const delivered: [string, string][] = []
  const kept: Kept[] = []
  const settings: [string, unknown][] = []
  for (const [name, value] of Object.entries(catalogue.settings ?? {})) {
    const hash = textHash(value)
    const { decision, isNewer } = judge(name, hash)
    if (decision === 'keep') kept.push({ name, why: 'changed', isNewer })
    else if (decision === 'take' || isNewer) delivered.push([name, hash])
    if (decision === 'take') settings.push([name, value])
  }
  const stored = new Map(latest.questions.map((question) => [question.id, question]))
  const added: Question[] = []
  const corrected: ExamPlan['corrected'][number][] = []
  const verified: Question[] = []
  for (const question of catalogue.questions) {
    const [name, hash] = [questionName(question.id), questionHash(question)]
    const { decision, isNewer } = judge(name, hash)
    const before = stored.get(question.id)
    const parts = before === undefined ? [] : changedParts(before, question)
    if (decision === 'keep')
      kept.push({ name: question.id, why: before === undefined ? 'removed' : 'changed', isNewer })
    else if (decision === 'take' || isNewer) delivered.push([name, hash])
    if (decision === 'same' && before !== undefined && isVerifiedLater(question, before)) verified.push(question)
    if (decision !== 'take') continue
    if (before === undefined) added.push(question)
    // Without a part that learners see the draft would have nothing to publish.
    else if (parts.length > 0) corrected.push({ question, parts })
  }
  const arriving = [...added, ...corrected.map(({ question }) => question)]
  const caseStudies = catalogue.caseStudies.filter((caseStudy) => {
    const [name, hash] = [caseStudyName(caseStudy.id), caseStudyHash(caseStudy)]
    const { decision, isNewer } = judge(name, hash)
    const isThere = texts.has(name)
    const isNeeded = !isThere && arriving.some((question) => question.caseStudy === caseStudy.id)
    if (decision === 'keep' && !isNeeded)
      kept.push({ name: caseStudy.id, why: isThere ? 'changed' : 'removed', isNewer })
    else if (decision !== 'same' || isNewer) delivered.push([name, hash])
    return decision === 'take' || isNeeded
  })
  const there = new Set(catalogue.questions.map(({ id }) => id))
  const withdrawn = [...stored.keys()].filter((id) => !there.has(id) && shop.delivered[questionName(id)] !== undefined)
  return { settings: Object.fromEntries(settings), added, corrected, verified, caseStudies, kept, withdrawn, delivered }
}

const isVerifiedLater = (one: Question, other: Question) => (one.verifiedOn ?? '') > (other.verifiedOn ?? '')

export function isEmptyPlan({ settings, added, corrected, caseStudies }: ExamPlan): boolean {
  return Object.keys(settings).length + added.length + corrected.length + caseStudies.length === 0
}

/** Says of a draft whether it has nothing to publish, only texts of the catalogue, or also changes by an admin. */
export type DraftState = 'none' | 'catalogue' | 'admin'

export function stateOfDraft({ current, draft }: ShopExam, catalogue: CatalogueExam): DraftState {
  if (draft === null) return 'none'
  const changes = compareExams(current, draft)
  if (!isChanged(changes)) return 'none'
  const texts = examTexts(draft)
  const before = examTexts(current)
  const wanted = examTexts({ ...catalogue, settings: catalogue.settings ?? {} })
  const caseStudies = [...new Set([...before.keys(), ...texts.keys()])].filter(
    (name) => name.startsWith(CASE_STUDIES) && before.get(name) !== texts.get(name),
  )
  const changed = [
    ...caseStudies,
    ...changes.settings.map(({ name }) => name),
    ...[...changes.added, ...changes.changed].map(({ id }) => questionName(id)),
  ]
  const isOfCatalogue =
    changes.removed.length === 0 &&
    !changes.isReordered &&
    changed.every((name) => texts.get(name) !== undefined && texts.get(name) === wanted.get(name))
  return isOfCatalogue ? 'catalogue' : 'admin'
}

/** The names of course fields that take the catalogue's text, and those that stay. A course has no draft: its texts are live. */
export function planCourse(
  shop: Readonly<Record<string, unknown>>,
  catalogue: Readonly<Record<string, unknown>>,
  delivered: DeliveredTexts,
): { readonly taken: readonly string[]; readonly kept: readonly Kept[]; readonly delivered: ExamPlan['delivered'] } {
  const judged = Object.entries(catalogue).map(([name, value]) => {
    const hash = textHash(value)
    const deliveredAt = delivered[name] ?? {}
    const text = {
      // Every course has all fields, but a study sheet may be new.
      shop: shop[name] === undefined ? null : textHash(shop[name]),
      catalogue: hash,
      deliveredAt,
      published: new Set(Object.keys(deliveredAt)),
    }
    const decision = decide(text, { draftSince: null, lastPublishedAt: '' })
    return { name, hash, decision, isNewer: deliveredAt[hash] === undefined }
  })
  return {
    taken: judged.filter(({ decision }) => decision === 'take').map(({ name }) => name),
    kept: judged
      .filter(({ decision }) => decision === 'keep')
      .map(({ name, isNewer }) => ({ name, why: 'changed', isNewer })),
    delivered: judged
      .filter(({ decision, isNewer }) => decision === 'take' || (decision === 'same' && isNewer))
      .map(({ name, hash }) => [name, hash]),
  }
}

/** A question that the catalogue has moved to another exam of its course, and the exam where it stays in this shop. */
export type Moved = { readonly id: string; readonly staysIn: string }

type Share = { readonly questions: Question[]; readonly moved: Moved[] }

/**
 * Divides the questions of a course among its exams by where the shop has them: a question that moved in the catalogue stays in its
 * exam here, with its statistics, and gets its corrections there. Else it would be asked twice.
 */
export function shareQuestions(
  catalogue: readonly { readonly slug: string; readonly questions: readonly Question[] }[],
  shop: readonly { readonly slug: string; readonly has: ReadonlySet<string>; readonly delivered: DeliveredTexts }[],
): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>()
  const shareOf = (slug: string) => {
    const share = shares.get(slug) ?? { questions: [], moved: [] }
    shares.set(slug, share)
    return share
  }
  for (const { slug, questions } of catalogue) {
    shareOf(slug)
    // Its own exam first.
    const exams = shop.toSorted((a, b) => Number(b.slug === slug) - Number(a.slug === slug))
    for (const question of questions) {
      const holder =
        exams.find(({ has }) => has.has(question.id)) ??
        exams.find(({ delivered }) => delivered[questionName(question.id)] !== undefined)
      const staysIn = holder?.slug ?? slug
      shareOf(staysIn).questions.push(question)
      if (staysIn !== slug) shareOf(slug).moved.push({ id: question.id, staysIn })
    }
  }
  return shares
}
