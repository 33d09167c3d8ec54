import type { CaseStudy } from '../case-studies/case-study.schema.ts'
import { typeWordingRemarks } from '../types/check-registry.ts'
import { partTextsOf } from '../types/content-registry.ts'
import { DEFAULT_DOMAIN } from '../types/question-base.schema.ts'
import type { Question } from '../types/question-types.schema.ts'
import { imagesIn } from '../image-addresses.ts'
import { fencesIn, withoutCode } from '../formats/markdown/markdown-fences.ts'
import { type Blueprint } from '../questions.schema.ts'
import { remark } from './bank-checks.copy.ts'
import { inOrderOfCodes, type Remark } from './bank-checks.schema.ts'

/** What a learner would stumble over in one question. */
export function wordingRemarks(
  question: Question,
  { blueprint, wantsDifficulty }: { blueprint: Blueprint | null; wantsDifficulty: boolean },
): Remark[] {
  return [
    ...inOrderOfCodes([...typeWordingRemarks(question), ...explanationRemarks(question)]),
    ...factRemarks(question, blueprint, wantsDifficulty),
    ...formattingRemarks('question', question.stem),
    ...partTextsOf(question).flatMap((text) => formattingRemarks('answer', text)),
    ...formattingRemarks('explanation', question.explanation),
  ]
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

const ORDINALS = '(?:first|second|third|fourth|fifth|sixth|last|former|latter|1st|2nd|3rd|4th|5th|6th)'
const PLACES = [
  // A name server answers A queries; that is no letter of an answer.
  /\b(?:[Oo]ptions?|OPTIONS?|[Aa]nswers?|ANSWERS?|[Cc]hoices?|CHOICES?|[Rr]esponses?)\s+["'(*_]*(?:[A-L]|[1-9])\b(?!\s+(?:records?|quer|lookup|and AAAA|or AAAA)|[-'.]\w|\s*%)/,
  new RegExp(`\\b${ORDINALS}\\s+(?:(?:two|three|four)\\s+)?(?:options?|answers?|choices?)\\b`, 'i'),
  /\b(?:options?|answers?|choices?)\s+(?:one|two|three|four|five|six)\b/i,
  /(?:^|[\s(*])[A-L](?:,? (?:and|or) [A-L])?\**\s+(?:is|are)\s+(?:the\s+)?(?:correct|incorrect|right|wrong|true|false)\b/m,
  /^[ \t]*(?:[-*+][ \t]+)?[*_]*\(?[A-L][*_]*[).:][*_]*[ \t]/m,
]
function explanationRemarks({ explanation }: Question): Remark[] {
  if (explanation === '') return [remark('explanation-missing')]
  const words = placeNamedIn(explanation)
  if (words === null) return []
  return [remark('explanation-names-place', words)]
}

function factRemarks(question: Question, blueprint: Blueprint | null, wantsDifficulty: boolean): Remark[] {
  const remarks: Remark[] = []
  const { domain, url } = question
  const isInBlueprint = blueprint?.domains.some(({ name }) => name === domain) === true
  if (!isInBlueprint && (domain === '' || domain === DEFAULT_DOMAIN)) {
    remarks.push(remark('domain-missing'))
  } else if (!isInBlueprint && blueprint) {
    remarks.push(remark('domain-unknown', domain))
  }
  if (url === '') remarks.push(remark('url-missing'))
  else if (!/^https:\/\/[^\s/]+\.[^\s/]+/.test(url) || /\s/.test(url)) {
    remarks.push(remark('url-not-https', url))
  }
  if (wantsDifficulty && question.difficulty === '') {
    remarks.push(remark('difficulty-missing'))
  }
  // Most marked questions only lack an explanation, which has a remark of its own.
  if (question.needsReview && question.explanation !== '') {
    remarks.push(remark('review-wanted'))
  }
  return remarks
}

/** What a learner would stumble over in a case study. */
export function caseStudyRemarks({ title, tabs }: CaseStudy): Remark[] {
  return tabs.flatMap((tab) => formattingRemarks(`tab "${tab.title}" of the case study "${title}"`, tab.body))
}

/** @param field what the sentences call the text */
function formattingRemarks(field: string, text: string): Remark[] {
  const remarks: Remark[] = []
  if (fencesIn(text.split('\n')).unclosed.length > 0) {
    remarks.push(remark('fence-unclosed', field))
  }
  const plain = withoutCode(text)
  const tag = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|<!--/i.exec(plain)?.[0]
  if (tag !== undefined) remarks.push(remark('html-tag', field, tag.slice(0, 80)))
  const entity = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/i.exec(plain)?.[0]
  if (entity !== undefined) {
    remarks.push(remark('entity-stray', field, entity))
  }
  const odd = [...text.matchAll(/\p{Cc}|[\u00AD\u200B\u2060\uFEFF\uFFFD\u202A-\u202E\u2066-\u2069]/gu)].find(
    ([character]) => character !== '\n' && character !== '\t',
  )?.[0]
  if (odd !== undefined) {
    const code = `U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    remarks.push(remark('character-odd', field, code))
  }
  if (imagesIn(plain).some(({ alt }) => isNoDescription(alt))) remarks.push(remark('picture-undescribed', field))
  return remarks
}

/** The editor inserts these words, for the author to replace. */
function isNoDescription(alt: string): boolean {
  return alt.trim() === '' || alt === 'Describe the image'
}
