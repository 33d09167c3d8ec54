import { normaliseLine } from '../question-text.ts'
import type { Question } from '../types/question-types.schema.ts'
import { strToU8 } from 'fflate'
import { reason } from '../questions.ts'
import { lostPart } from './lost-parts.schema.ts'
import { joinExplanations, splitExplanation } from './part-explanations.ts'
import { explainedTexts, giftOf, isTaken, readParts } from '../types/format-registry.ts'
import { BLANK } from './blank.ts'
import { escapeGift, indexOfSign, unescaped } from './gift-syntax.ts'
import { type ParsedQuestion, found, questionStep, type Reading } from './parsed-question.ts'
import { escapedLines, htmlInText, htmlToMarkdown } from './markup/html-to-markdown.ts'
import { categoryOf, domainOf } from './moodle/moodle-xml.ts'
import type { ExamToWrite, ReadStep, WrittenFile } from './formats.schema.ts'
import { NEEDS_REVIEW_TAG, takeTag } from './question-tags.ts'

/** Reads GIFT. Types of question that the bank lacks are refused by their names. */
export function* readGift(file: string, text: string, reading: Reading): Generator<ReadStep> {
  let domain = ''
  for (const { line, comments, written } of paragraphsOf(text)) {
    const category = /^[ \t]*\$CATEGORY:(.*)\n?/.exec(written)
    if (category) domain = domainOf(unescaped(category[1] ?? ''))
    const rest = category ? written.slice(category[0].length) : written
    if (rest.trim() === '') continue
    const read = found(file, line)
    takeQuestion(read, rest)
    for (const [, tag] of comments.matchAll(/\[tag:([^[\]\n]+)\]/g)) takeTag(read, tag ?? '')
    const id = /\[id:([^[\]\n]+)\]/.exec(comments)?.[1]
    if (id !== undefined) read.lost.push(lostPart('field', `id: ${id}`))
    read.facts = { domain, ...read.facts }
    yield questionStep(read, reading)
  }
}

export function writeGift({ facts, questions }: ExamToWrite): WrittenFile {
  let domain: string | null = null
  const parts = questions.map((question) => {
    const isSame = question.domain === domain
    domain = question.domain
    return `${isSame ? '' : `$CATEGORY: ${escapeGift(categoryOf(facts.title, domain))}\n\n`}${questionText(question)}`
  })
  return { path: `${facts.slug}.gift`, bytes: strToU8(parts.join('\n')) }
}

interface Paragraph {
  line: number
  comments: string
  written: string
}

/** A blank line ends a question, unless its brace is open and the next paragraph closes it. */
function* paragraphsOf(text: string): Generator<Paragraph> {
  let held: Paragraph | null = null
  for (const paragraph of blocksOf(text)) {
    if (held && firstSign(paragraph.written, '{}') === '}') {
      held = { ...held, written: `${held.written}\n\n${paragraph.written}` }
      yield held
      held = null
      continue
    }
    if (held) yield held
    const isOpen = indexOfSign(paragraph.written, '{') !== -1 && indexOfSign(paragraph.written, '}') === -1
    held = isOpen ? paragraph : null
    if (!isOpen) yield paragraph
  }
  if (held) yield held
}

function* blocksOf(text: string): Generator<Paragraph> {
  let [comments, line]: [string[], number] = [[], 0]
  let lines: string[] = []
  for (const [at, written] of `${text}\n`.split('\n').entries()) {
    if (/^\s*\/\//.test(written)) comments.push(written)
    else if (written.trim() !== '') {
      if (lines.length === 0) line = at + 1
      lines.push(written)
    } else if (lines.length > 0) {
      yield { line, comments: comments.join('\n'), written: lines.join('\n') }
      lines = []
      comments = []
    }
  }
  if (lines.length > 0) yield { line, comments: comments.join('\n'), written: lines.join('\n') }
}

type TextFormat = 'markdown' | 'html' | 'plain' | 'moodle'

function takeQuestion(read: ParsedQuestion, written: string): void {
  const { title, body } = withoutTitle(written)
  const open = indexOfSign(body, '{')
  const close = open === -1 ? -1 : indexOfSign(body, '}', open)
  const before = textOf(open === -1 ? body : body.slice(0, open), 'moodle', read)
  read.stem = before.text
  if (open === -1) {
    read.reasons.push(reason('type-unsupported', '', 'a description without answers', read.line))
    return
  }
  if (close === -1) {
    read.reasons.push(reason('syntax-broken', '', 'the brace of the answers is not closed', read.line))
    return
  }
  const after = body.slice(close + 1)
  if (indexOfSign(after, '{') !== -1) {
    read.reasons.push(reason('type-unsupported', '', 'a text with several blocks of answers', read.line))
    return
  }
  // A missing word: the block stands in the middle of the sentence.
  if (after.trim() !== '') read.stem = `${before.text}${BETWEEN}${textOf(after, before.format, read).text.trim()}`
  takeBlock(read, body.slice(open + 1, close), before.format)
  if (title !== '' && !normaliseLine(read.stem).startsWith(title)) read.lost.push(lostPart('name', title))
}

/** `::title::` before the text. */
function withoutTitle(written: string): { title: string; body: string } {
  const begun = written.trimStart()
  const end = begun.startsWith('::') ? indexOfSign(begun, '::', 2) : -1
  if (end === -1) return { title: '', body: written }
  return { title: normaliseLine(unescaped(begun.slice(2, end))), body: begun.slice(end + 2) }
}

function takeBlock(read: ParsedQuestion, block: string, format: TextFormat): void {
  const general = indexOfSign(block, '####')
  const overall = general === -1 ? '' : textOf(block.slice(general + 4), format, read).text
  const content = (general === -1 ? block : block.slice(0, general)).trim()
  const source = { content, textOf: (written: string) => textOf(written, format, read).text }
  if (!isTaken('gift', source)) {
    read.reasons.push(reason('type-unsupported', '', nameOfType(content), read.line))
    read.explanation = overall
    return
  }
  const { body, each } = readParts('gift', source, read)
  read.body = body
  read.explanation = joinExplanations({ overall, each }, explainedTexts(body))
}

/** What GIFT calls the type of a block that no type of ours takes. */
function nameOfType(content: string): string {
  return content === '' ? 'essay' : 'unknown'
}

function textOf(written: string, inherited: TextFormat, read: ParsedQuestion): { text: string; format: TextFormat } {
  const named = /^\s*\[(markdown|html|plain|moodle)\]/.exec(written)
  const format = formatNamed(named?.[1]) ?? inherited
  const text = unescaped(named ? written.slice(named[0].length) : written).trim()
  if (format === 'markdown') return { text, format }
  if (format === 'html') return { text: htmlToMarkdown(text, { lost: read.lost }), format }
  return { text: format === 'plain' ? escapedLines(text) : htmlInText(text, read.lost), format }
}

function formatNamed(name: string | undefined): TextFormat | null {
  return name === 'markdown' || name === 'html' || name === 'plain' || name === 'moodle' ? name : null
}

function firstSign(text: string, signs: string): string {
  return text.charAt(indexOfSign(text, signs))
}

function questionText(question: Question): string {
  const { overall, each } = splitExplanation(question.explanation, explainedTexts(question))
  const { before, after } = aroundBlank(question.stem)
  const tags = [question.difficulty, question.needsReview ? NEEDS_REVIEW_TAG : ''].filter((tag) => tag !== '')
  return [
    tags.length === 0 ? '' : `// ${tags.map((tag) => `[tag:${tag}]`).join(' ')}\n`,
    `::${escapeGift(question.id)}::[markdown]${escapeGift(before)} {\n`,
    giftOf(question, each),
    overall === '' ? '' : `  ####${escapeGift(overall)}\n`,
    after === '' ? '}\n' : `} ${escapeGift(after)}\n`,
  ].join('')
}

const BETWEEN = ` ${BLANK} `

/** What stands before and behind the one blank of a sentence, where the block of answers is written. Another text has it behind the whole. */
function aroundBlank(stem: string): { before: string; after: string } {
  const [before = '', after = '', ...more] = stem.split(BETWEEN)
  const isApart = [before, after].every((part) => part !== '' && part === part.trim())
  // A bracket would be read as the name of a format.
  const isSentence = isApart && more.length === 0 && !after.startsWith('[') && !(before + after).includes(BLANK)
  return isSentence ? { before, after } : { before: stem, after: '' }
}
