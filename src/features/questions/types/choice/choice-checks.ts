import { remark } from '../../checks/bank-checks.copy.ts'
import type { Remark } from '../../checks/bank-checks.schema.ts'
import { withoutCode } from '../../formats/markdown/markdown-fences.ts'
import type { TypeChecks } from '../type-checks.ts'
import { choiceCount, isMultiple } from './choice-grading.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

export const choiceChecks: TypeChecks<'choice'> = {
  comparedParts: ({ options }) =>
    options.map(({ text, isRight }) => ({ text, keyValue: isRight ? 'right' : 'wrong', isRight })),
  wordingRemarks: (question) => [...chooseRemarks(question), ...optionRemarks(question)],
  balanceRemarks(questions) {
    const single = questions.filter((question) => !isMultiple(question))
    return [...longestRemarks(single), ...positionRemarks(single), ...multipleRemarks(questions)]
  },
  cueOptions: ({ options }) => (options.filter(({ isRight }) => isRight).length === 1 ? options : null),
  kinds: { single: 'with one right answer', multiple: 'with several right answers' },
  kindOf: (question) => (isMultiple(question) ? 'multiple' : 'single'),
}

/** The number after "Choose" if it ends the sentence or counts answers: "must choose two Regions" asks for nothing. */
export function choicesAskedFor(stem: string): number[] {
  return [...withoutCode(stem).matchAll(CHOOSE)].flatMap((match) => NUMBERS.get((match[1] ?? '').toLowerCase()) ?? [])
}

const NUMBERS = new Map(
  ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].flatMap((word, at) => [
    [word, at + 1] as const,
    [String(at + 1), at + 1] as const,
  ]),
)
const CHOOSE = new RegExp(
  `\\b(?:choose|select|pick)\\s+(?:exactly\\s+|any\\s+|the\\s+)?(${[...NUMBERS.keys()].join('|')})\\b` +
    '(?:\\s+(?:(?:correct|right|best|valid)\\s+)?(?:answers?|options?|responses?|choices?))?\\s*(?:[.)!:\\]*_]|$)',
  'gim',
)

const PLACES_IN_OPTIONS = [
  /\b(?:all|none|both|any|neither|either) of the above\b/i,
  /^(?:all|none|both|any|neither|either) (?:of )?(?:the |these )?(?:other )?(?:options|answers|choices)\b/i,
  /\b(?:[Bb]oth|[Ee]ither|[Nn]either)\s+[A-L]\s+(?:and|or|nor)\s+[A-L]\b/,
]

function chooseRemarks(question: ChoiceQuestion): Remark[] {
  const right = choiceCount(question)
  const asked = choicesAskedFor(question.stem)
  const wrong = asked.find((count) => count !== right)
  if (wrong !== undefined) return [remark('choose-mismatch', wrong, right)]
  if (right < 2 || asked.length > 0) return []
  return [remark('choose-missing', right)]
}

function optionRemarks({ options }: ChoiceQuestion): Remark[] {
  return options.flatMap(({ text }) => {
    const named = PLACES_IN_OPTIONS.map((pattern) => pattern.exec(withoutCode(text))?.[0]).find(
      (words) => words !== undefined,
    )
    if (named === undefined) return []
    return [remark('answer-names-place', named)]
  })
}

/** From how many questions on a pattern is more than chance. */
const PATTERN_FLOOR = 10
const LONGEST_SHARE_LIMIT = 0.45
/** From how many questions on each of four places must have its share; below, none may have more than half. */
const POSITION_FLOOR = 20
const POSITION_SHARES = { least: 0.1, most: 0.4, mostOfFew: 0.5 }
const MULTIPLE_SHARES = { least: 0.1, most: 0.2 }

function longestRemarks(single: readonly ChoiceQuestion[]): Remark[] {
  const longest = single.filter(({ options }) => {
    const right = options.find(({ isRight }) => isRight)
    return options.every((option) => option === right || option.text.length < (right?.text.length ?? 0))
  }).length
  if (single.length < PATTERN_FLOOR || longest <= single.length * LONGEST_SHARE_LIMIT) return []
  return [remark('longest-is-right', longest, single.length)]
}

function positionRemarks(single: readonly ChoiceQuestion[]): Remark[] {
  const ofFour = single.filter(({ options }) => options.length === 4)
  const counts = [0, 1, 2, 3].map((place) => ofFour.filter(({ options }) => options[place]?.isRight).length)
  const all = ofFour.length
  const isUneven =
    all >= POSITION_FLOOR
      ? counts.some((count) => count < all * POSITION_SHARES.least || count > all * POSITION_SHARES.most)
      : all >= PATTERN_FLOOR && counts.some((count) => count > all * POSITION_SHARES.mostOfFew)
  if (!isUneven) return []
  return [remark('positions-uneven', counts.join(', '))]
}

/** One question more or less is allowed: exams are small. */
function multipleRemarks(questions: readonly ChoiceQuestion[]): Remark[] {
  const all = questions.length
  const multiple = questions.filter(isMultiple).length
  if (multiple + 1 >= all * MULTIPLE_SHARES.least && multiple - 1 <= all * MULTIPLE_SHARES.most) return []
  return [remark('multiple-share', multiple, all)]
}
