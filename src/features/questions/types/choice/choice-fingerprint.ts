import { md5Hex } from '../../../../lib/md5.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

/**
 * Equal for questions with equal stem and options, whatever their order and their blanks. Findings that were set aside and the
 * verdicts of imports are stored with it, so its value must never change: it is what migration 0044 computed.
 */
export function choiceFingerprint({ stem, options }: ChoiceQuestion): string {
  const marked = options.map(({ text, isRight }) => `${isRight ? '=' : '~'}${evenBlanks(text)}`)
  return md5Hex(`${evenBlanks(stem)}\n${marked.sort(byCodePoint).join('\n')}`)
}

/** Its fields and their names are those of the first build, so that findings that were set aside then stay so. */
export function choiceContentText(question: ChoiceQuestion): string {
  const { id, stem, options, explanation, domain, needsReview, url, difficulty } = question
  return JSON.stringify({
    id,
    stem,
    answers: options.map((option) => ({ id: option.id, text: option.text, isRight: option.isRight })),
    explanation,
    domain,
    needsReview,
    url,
    suggestedAnswerIds: question.suggestedOptionIds,
    mostVotedAnswerIds: question.mostVotedOptionIds,
    difficulty,
    ...(question.caseStudy !== undefined && { caseStudy: question.caseStudy }),
    ...(question.order !== undefined && { order: question.order }),
  })
}

/**
 * As `regexp_replace(btrim(text), '\s{2,}|[^\S ]', ' ', 'g')` in a database with the locale C.UTF-8. Its `\s` is Unicode's White_Space;
 * JavaScript's `\s` also has U+FEFF and lacks U+0085.
 */
function evenBlanks(text: string): string {
  return text.replace(/^ +|(?<! ) +$/g, '').replace(/\p{White_Space}+/gu, ' ')
}

/** As `collate "C"`, which compares UTF-8 bytes; JavaScript compares UTF-16 units, which differ beyond the first plane. */
function byCodePoint(one: string, other: string): number {
  if (one === other) return 0
  const [a, b] = [[...one], [...other]]
  const at = a.findIndex((sign, place) => sign !== b[place])
  if (at === -1) return -1
  return at >= b.length ? 1 : (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0)
}
