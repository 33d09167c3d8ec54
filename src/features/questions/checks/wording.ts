import { fencesIn } from '../formats/markdown/markdown-marks.ts'
import { choiceCount } from '../questions.ts'
import { type Blueprint, DEFAULT_DOMAIN, type Question } from '../questions.schema.ts'
import { checkSentences } from './bank-checks.copy.ts'
import type { Remark } from './bank-checks.schema.ts'

/** What one question says about itself that a learner would stumble over. */
export function wordingRemarks(
  question: Question,
  { blueprint, wantsDifficulty }: { blueprint: Blueprint | null; wantsDifficulty: boolean },
): Remark[] {
  return [
    ...chooseRemarks(question),
    ...explanationRemarks(question),
    ...optionRemarks(question),
    ...factRemarks(question, blueprint, wantsDifficulty),
    ...formattingRemarks('question', question.stem),
    ...question.options.flatMap(({ text }) => formattingRemarks('answer', text)),
    ...formattingRemarks('explanation', question.explanation),
  ]
}

/** The number after "Choose", where it ends the sentence or counts answers: "must choose two Regions" says nothing. */
export function choicesAskedFor(stem: string): number[] {
  return [...withoutCode(stem).matchAll(CHOOSE)].flatMap((match) => NUMBERS.get((match[1] ?? '').toLowerCase()) ?? [])
}

/** The words with which a text names an answer by letter or position, or null. */
export function placeNamedIn(text: string): string | null {
  const plain = withoutCode(text)
  for (const pattern of PLACES) {
    const match = pattern.exec(plain)
    if (match) return match[0].replace(/\s+/g, ' ').trim()
  }
  return null
}

/** A text without fenced code and code spans: what stands there is shown as it is and means nothing to these checks. */
export function withoutCode(text: string): string {
  if (!/[`~]/.test(text)) return text
  const lines = text.split('\n')
  const { isFenced } = fencesIn(lines)
  return lines
    .filter((_, at) => !isFenced[at])
    .join('\n')
    .replace(/(?<!`)(`+)(?!`)(?:[\s\S]*?[^`])\1(?!`)/g, ' ')
}

const NUMBERS = new Map(
  ['one', 'two', 'three', 'four', 'five', 'six'].flatMap((word, at) => [
    [word, at + 1] as const,
    [String(at + 1), at + 1] as const,
  ]),
)
const CHOOSE = new RegExp(
  `\\b(?:choose|select|pick)\\s+(?:exactly\\s+|any\\s+|the\\s+)?(${[...NUMBERS.keys()].join('|')})\\b` +
    '(?:\\s+(?:(?:correct|right|best|valid)\\s+)?(?:answers?|options?|responses?|choices?))?\\s*(?:[.)!:\\]*_]|$)',
  'gim',
)

const ORDINALS = '(?:first|second|third|fourth|fifth|sixth|last|former|latter|1st|2nd|3rd|4th|5th|6th)'
const PLACES = [
  // A name server answers A queries; that is no letter of an answer.
  /\b(?:[Oo]ptions?|OPTIONS?|[Aa]nswers?|ANSWERS?|[Cc]hoices?|CHOICES?|[Rr]esponses?)\s+["'(*_]*(?:[A-F]|[1-6])\b(?!\s+(?:records?|quer|lookup|and AAAA|or AAAA)|[-'.]\w|\s*%)/,
  new RegExp(`\\b${ORDINALS}\\s+(?:(?:two|three|four)\\s+)?(?:options?|answers?|choices?)\\b`, 'i'),
  /\b(?:options?|answers?|choices?)\s+(?:one|two|three|four|five|six)\b/i,
  /(?:^|[\s(*])[A-F](?:,? (?:and|or) [A-F])?\**\s+(?:is|are)\s+(?:the\s+)?(?:correct|incorrect|right|wrong|true|false)\b/m,
  /^[ \t]*(?:[-*+][ \t]+)?[*_]*\(?[A-F][*_]*[).:][*_]*[ \t]/m,
]
const PLACES_IN_OPTIONS = [
  /\b(?:all|none|both|any|neither|either) of the above\b/i,
  /^(?:all|none|both|any|neither|either) (?:of )?(?:the |these )?(?:other )?(?:options|answers|choices)\b/i,
  /\b(?:[Bb]oth|[Ee]ither|[Nn]either)\s+[A-F]\s+(?:and|or|nor)\s+[A-F]\b/,
]

function chooseRemarks(question: Question): Remark[] {
  const right = choiceCount(question)
  const asked = choicesAskedFor(question.stem)
  const wrong = asked.find((count) => count !== right)
  if (wrong !== undefined)
    return [{ code: 'choose-mismatch', sentence: checkSentences['choose-mismatch'](wrong, right) }]
  if (right < 2 || asked.length > 0) return []
  return [{ code: 'choose-missing', sentence: checkSentences['choose-missing'](right) }]
}

function explanationRemarks({ explanation }: Question): Remark[] {
  if (explanation === '') return [{ code: 'explanation-missing', sentence: checkSentences['explanation-missing']() }]
  const words = placeNamedIn(explanation)
  if (words === null) return []
  return [{ code: 'explanation-names-place', sentence: checkSentences['explanation-names-place'](words) }]
}

function optionRemarks({ options }: Question): Remark[] {
  return options.flatMap(({ text }) => {
    const named = PLACES_IN_OPTIONS.map((pattern) => pattern.exec(withoutCode(text))?.[0]).find(
      (words) => words !== undefined,
    )
    if (named === undefined) return []
    return [{ code: 'answer-names-place', sentence: checkSentences['answer-names-place'](named) } as const]
  })
}

function factRemarks(question: Question, blueprint: Blueprint | null, wantsDifficulty: boolean): Remark[] {
  const remarks: Remark[] = []
  const { domain, url } = question
  const isInBlueprint = blueprint?.domains.some(({ name }) => name === domain) === true
  if (!isInBlueprint && (domain === '' || domain === DEFAULT_DOMAIN)) {
    remarks.push({ code: 'domain-missing', sentence: checkSentences['domain-missing']() })
  } else if (!isInBlueprint && blueprint) {
    remarks.push({ code: 'domain-unknown', sentence: checkSentences['domain-unknown'](domain) })
  }
  if (url === '') remarks.push({ code: 'url-missing', sentence: checkSentences['url-missing']() })
  else if (!/^https:\/\/[^\s/]+\.[^\s/]+/.test(url) || /\s/.test(url)) {
    remarks.push({ code: 'url-not-https', sentence: checkSentences['url-not-https'](url) })
  }
  if (wantsDifficulty && question.difficulty === '') {
    remarks.push({ code: 'difficulty-missing', sentence: checkSentences['difficulty-missing']() })
  }
  // A missing explanation is why most of them are marked, and it has a remark of its own.
  if (question.needsReview && question.explanation !== '') {
    remarks.push({ code: 'review-wanted', sentence: checkSentences['review-wanted']() })
  }
  return remarks
}

type Field = 'question' | 'answer' | 'explanation'

function formattingRemarks(field: Field, text: string): Remark[] {
  const remarks: Remark[] = []
  if (fencesIn(text.split('\n')).unclosed.length > 0) {
    remarks.push({ code: 'fence-unclosed', sentence: checkSentences['fence-unclosed'](field) })
  }
  const plain = withoutCode(text)
  const tag = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|<!--/i.exec(plain)?.[0]
  if (tag !== undefined)
    remarks.push({ code: 'html-tag', sentence: checkSentences['html-tag'](field, tag.slice(0, 80)) })
  const entity = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/i.exec(plain)?.[0]
  if (entity !== undefined) {
    remarks.push({ code: 'entity-stray', sentence: checkSentences['entity-stray'](field, entity) })
  }
  const odd = [...text.matchAll(/\p{Cc}|[\u00AD\u200B\u2060\uFEFF\uFFFD\u202A-\u202E\u2066-\u2069]/gu)].find(
    ([character]) => character !== '\n' && character !== '\t',
  )?.[0]
  if (odd !== undefined) {
    const code = `U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    remarks.push({ code: 'character-odd', sentence: checkSentences['character-odd'](field, code) })
  }
  return remarks
}
