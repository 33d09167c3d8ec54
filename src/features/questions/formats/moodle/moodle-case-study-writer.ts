import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import { IMAGE_SCHEME, withAddresses } from '../../image-addresses.ts'
import { lossesOfParts, moodleGapOf } from '../../types/format-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { BLANK } from '../blank.ts'
import type { ExamToWrite, ReadStep } from '../formats.schema.ts'
import { splitExplanation } from '../part-explanations.ts'
import { lineOf, TEXT_TAB } from './moodle-case-study.ts'
import { gapSource, isCarriedByGap } from './written-gap.ts'

/** A case study as one cloze: its text with the gaps, and the explanation that its questions share. */
export interface WrittenCloze {
  readonly caseStudy: CaseStudy
  readonly text: string
  readonly explanation: string
}

/** The cloze of a case study whose only tab is a text with a mark for each question; null for any other one. */
export function clozeOf(caseStudy: CaseStudy, questions: readonly Question[]): WrittenCloze | null {
  const [tab, ...others] = caseStudy.tabs
  if (tab === undefined || tab.title !== TEXT_TAB || others.length > 0 || areDifferent(questions)) return null
  const marks = marksIn(tab.body, questions.length)
  if (marks === null) return null
  const sources: string[] = []
  let shared: string | null = null
  for (const [place, question] of questions.entries()) {
    const gap = moodleGapOf(question)
    const { before, behind } = lineOf(caseStudy, marks[place] ?? '')
    if (gap === null || question.stem !== before + (gap.mark ?? BLANK) + behind) return null
    const { overall, each } = splitExplanation(
      question.explanation,
      gap.answers.map(({ explained }) => explained),
    )
    if (overall !== (shared ?? overall) || !each.every(isCarriedByGap)) return null
    shared = overall
    sources.push(gapSource(gap, each))
  }
  let place = 0
  const text = tab.body.replace(MARK, (mark, escape: string) => {
    const source = mark.endsWith(marks[place] ?? ' ') ? sources[place++] : undefined
    return source ?? escape + mark.slice(escape.length)
  })
  return { caseStudy, text, explanation: shared ?? '' }
}

const MARK = /(\\?)\[(?:Gap )?\d+\]/g

/** The facts that a cloze has once. */
function areDifferent([first, ...others]: readonly Question[]): boolean {
  return others.some(
    ({ domain, difficulty, needsReview }) =>
      domain !== first?.domain || difficulty !== first.difficulty || needsReview !== first.needsReview,
  )
}

/** The marks of a text, if each stands in it once and in order; null otherwise. */
function marksIn(body: string, count: number): string[] | null {
  const found = [...body.matchAll(MARK)].map(([mark]) => mark.replace('\\', ''))
  for (const name of ['', 'Gap ']) {
    const marks = Array.from({ length: count }, (_, at) => `[${name}${at + 1}]`)
    const own = found.filter((mark) => name === '' || mark.startsWith('[Gap'))
    if (own.length === count && own.every((mark, at) => mark === marks[at])) return marks
  }
  return null
}

/** Whether what was read of a cloze is the case study that it was written for. */
export function isSameCaseStudy(
  steps: readonly ReadStep[],
  {
    caseStudy,
    questions,
    images,
  }: { caseStudy: CaseStudy; questions: readonly Question[]; images: ExamToWrite['images'] },
): boolean {
  const named = (text: string) =>
    withAddresses(text, (address) => {
      const image = images.get(address)
      return image && IMAGE_SCHEME + image.name
    })
  const studies = steps.flatMap((step) => (step.kind === 'case-study' ? [step.caseStudy] : []))
  const back = steps.flatMap((step) => (step.kind === 'question' ? [step.question.question] : []))
  return (
    studies.length === 1 &&
    studies[0]?.title === caseStudy.title &&
    studies[0].tabs[0]?.body === named(caseStudy.tabs[0]?.body ?? '') &&
    back.length === questions.length &&
    questions.every((question, at) => {
      const other = back[at]
      return (
        other !== undefined &&
        other.stem === named(question.stem) &&
        other.explanation === named(question.explanation) &&
        lossesOfParts(question, other, (mine, theirs) => mine === theirs).length === 0
      )
    })
  )
}
