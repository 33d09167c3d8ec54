import { sha256Hex } from '../../../../lib/sha256.ts'
import { fill } from '../../../../lib/failure.ts'
import { caseStudyTexts } from '../../case-studies/case-studies.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import { copy } from '../../case-studies/shown-case-study.copy.ts'
import { textsOf, toSpecification } from '../../types/content-registry.ts'
import { cardOf } from '../../types/format-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { imagesShownBy } from '../../image-addresses.ts'
import { markdownToHtml, markdownToInlineHtml } from '../markup/markdown-to-html.ts'
import { xmlText } from '../markup/xml-tree.ts'
import { NEEDS_REVIEW_TAG } from '../question-tags.ts'
import type { AttachedImage } from '../formats.schema.ts'

/** Names the field of a note that holds a question of ours. */
export const OWN_FIELD = '{"altocert":'
const OWN_VERSION = 1

/** The three fields of a note: both sides of its card as HTML, and the question as JSON. */
export function fieldsOfQuestion(
  question: Question,
  images: ReadonlyMap<string, AttachedImage>,
  caseStudy: CaseStudy | undefined,
): string[] {
  const sides = sidesOf(question, (address) => images.get(address)?.name, caseStudy)
  const picturesIn = (texts: string[]) =>
    imagesShownBy(texts).flatMap((address) => {
      const name = images.get(address)?.name
      return name === undefined ? [] : [{ address, name }]
    })
  const pictures = picturesIn(textsOf(question))
  const scenario = picturesIn(caseStudy === undefined ? [] : caseStudyTexts(caseStudy)).map(({ name }) => name)
  const own = {
    altocert: OWN_VERSION,
    card: checkOfSides(sides),
    question: toSpecification(question),
    ...(pictures.length > 0 && { pictures }),
    ...(scenario.length > 0 && { scenario }),
  }
  return [...sides, plainJson(own)]
}

/** Changes with the two sides. Anki may normalise the characters of a text. */
export function checkOfSides(sides: readonly string[]): string {
  return sha256Hex(sides.map((side) => side.normalize('NFC').trim()).join('\n')).slice(0, 16)
}

/** Letters of ASCII without markup: a field is HTML, and Anki normalises other characters. JSON has an escape for each of them. */
function plainJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u007f-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function tagsOfQuestion({ domain, difficulty, needsReview }: Question): string[] {
  return [
    domain === '' ? '' : `domain::${tagText(domain)}`,
    difficulty === '' ? '' : `difficulty::${difficulty}`,
    needsReview ? NEEDS_REVIEW_TAG : '',
  ].filter((tag) => tag !== '')
}

/** Blanks separate tags, and `::` makes one the child of another. */
function tagText(text: string): string {
  return text.replaceAll(/[\s\u3000]+/g, '_').replaceAll('::', ':')
}

/**
 * Both sides of a card. The front begins with the whole case study of the question, without which it could not be answered.
 * @param nameOf the name of a file in the package, for an address that a text shows
 */
export function sidesOf(
  question: Question,
  nameOf: (address: string) => string | undefined,
  caseStudy: CaseStudy | undefined,
): [string, string] {
  const addressOf = (address: string) => {
    const name = nameOf(address)
    return name === undefined ? address : encodeURIComponent(name)
  }
  const { front, back } = cardOf(question, (text) => markdownToInlineHtml(text, addressOf))
  const { url } = question
  const link = /^https?:/i.test(url) ? `<p><a href="${xmlText(url)}">${xmlText(url)}</a></p>` : ''
  return [
    withoutMarks(`${scenarioOf(caseStudy, addressOf)}${markdownToHtml(question.stem, addressOf)}${front}`),
    withoutMarks(`${back}${markdownToHtml(question.explanation, addressOf)}${link}`),
  ]
}

/** All tabs of a case study, each below its name, and a line before the question. */
function scenarioOf(caseStudy: CaseStudy | undefined, addressOf: (address: string) => string): string {
  if (caseStudy === undefined) return ''
  const title = fill(copy['case-study.title'], { title: caseStudy.title })
  const tabs = caseStudy.tabs.map((tab) => `<h4>${xmlText(tab.title)}</h4>${markdownToHtml(tab.body, addressOf)}`)
  return `<h3>${xmlText(title)}</h3>${tabs.join('')}<hr>`
}

/**
 * Texts without what Anki would act on: formulas between `\(` and `\)`, and sounds, LaTeX and others in brackets. The browser shows
 * them as they were written.
 */
function withoutMarks(html: string): string {
  return html.replaceAll(/<[^>]*>|\\(?=[()[\]])|\[(?=sound:|anki:|\/?latex|\/?\$)/gi, (found) => {
    if (found.startsWith('<')) return found
    return found === '[' ? '&#91;' : '\\<span></span>'
  })
}
