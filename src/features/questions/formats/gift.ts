import { strToU8 } from 'fflate'
import { normaliseLine, reason } from '../questions.ts'
import type { Question } from '../questions.schema.ts'
import { lostSentences } from './formats.copy.ts'
import { joinExplanations, splitExplanation } from './option-explanations.ts'
import { type ParsedQuestion, found, questionStep, type Reading } from './parsed-question.ts'
import { escapedLines, htmlInText, htmlToMarkdown } from './markup/html-to-markdown.ts'
import { categoryOf, domainOf } from './moodle-xml.ts'
import type { ExamToWrite, ReadStep, WrittenFile } from './formats.schema.ts'
import { NEEDS_REVIEW_TAG, takeTag } from './question-tags.ts'

/** Reads GIFT: questions with answers to choose from, and true or false; each other type is refused by its name. */
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
    if (id !== undefined) read.lost.push(lostSentences.field(`id: ${id}`))
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

/** A blank line ends a question; one whose brace is still open goes on if the next paragraph closes it. */
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
  // The missing word: the answers stand in the middle of the sentence.
  if (after.trim() !== '') read.stem = `${before.text} _____ ${textOf(after, before.format, read).text.trim()}`
  takeOptions(read, body.slice(open + 1, close), before.format)
  if (title !== '' && !normaliseLine(read.stem).startsWith(title)) read.lost.push(lostSentences.name(title))
}

/** `::title::` before the text. */
function withoutTitle(written: string): { title: string; body: string } {
  const begun = written.trimStart()
  const end = begun.startsWith('::') ? indexOfSign(begun, '::', 2) : -1
  if (end === -1) return { title: '', body: written }
  return { title: normaliseLine(unescaped(begun.slice(2, end))), body: begun.slice(end + 2) }
}

function takeOptions(read: ParsedQuestion, block: string, format: TextFormat): void {
  const general = indexOfSign(block, '####')
  const overall = general === -1 ? '' : textOf(block.slice(general + 4), format, read).text
  const content = (general === -1 ? block : block.slice(0, general)).trim()
  const truth = /^(T|TRUE|F|FALSE)(?=\s*(?:#|$))/i.exec(content)
  if (truth) {
    applyGatewayState(read, content, { isTrue: /^t/i.test(content), overall, format })
    return
  }
  const type = unsupportedType(content)
  if (type !== null) {
    read.reasons.push(reason('type-unsupported', '', type, read.line))
    read.explanation = overall
    return
  }
  const parts = partsOf(content)
  const hasRight = parts.some(({ sign, weight }) => sign === '=' && weight === null)
  const each = parts.map(({ feedback }) => textOf(feedback, format, read).text)
  read.options = parts.map(({ sign, weight, text }) => ({
    text: textOf(text, format, read).text,
    isRight: sign === '=' || (weight !== null && weight > 0 && (!hasRight || weight === 100)),
  }))
  const weights = parts.map(({ weight }) => weight ?? 0).filter((weight) => weight > 0)
  if (new Set(weights).size > 1 || (hasRight && weights.some((weight) => weight < 100)))
    read.lost.push(lostSentences.credit())
  const texts = read.options.map(({ text }) => text)
  read.explanation = joinExplanations({ overall, each }, texts)
}

/** `{T#said when it was wrong#said when it was right}` */
function applyGatewayState(
  read: ParsedQuestion,
  content: string,
  { isTrue, overall, format }: { isTrue: boolean; overall: string; format: TextFormat },
): void {
  const [, whenWrong = '', whenRight = ''] = splitAt(content, '#').map((part) => textOf(part, format, read).text)
  read.options = [
    { text: 'True', isRight: isTrue },
    { text: 'False', isRight: !isTrue },
  ]
  const each = isTrue ? [whenRight, whenWrong] : [whenWrong, whenRight]
  read.explanation = joinExplanations({ overall, each }, ['True', 'False'])
}

function unsupportedType(content: string): string | null {
  if (content === '') return 'essay'
  if (content.startsWith('#')) return 'numerical'
  if (indexOfSign(content, '~') !== -1) return null
  if (indexOfSign(content, '=') === -1) return 'unknown'
  const [, ...options] = splitAt(content, '=')
  return options.length > 0 && options.every((option) => option.includes('->')) ? 'matching' : 'short answer'
}

interface Part {
  sign: string
  weight: number | null
  text: string
  feedback: string
}

function partsOf(content: string): Part[] {
  const parts: Part[] = []
  let at = indexOfSign(content, '=~')
  while (at !== -1) {
    const next = indexOfSign(content, '=~', at + 1)
    const written = content.slice(at + 1, next === -1 ? undefined : next).trim()
    const weight = /^%(-?\d{1,3}(?:\.\d{1,10})?)%/.exec(written)
    const rest = weight ? written.slice(weight[0].length) : written
    const [text = '', ...feedback] = splitAt(rest, '#')
    parts.push({
      sign: content.charAt(at),
      weight: weight ? Number(weight[1]) : null,
      text,
      feedback: feedback.join('#'),
    })
    at = next
  }
  return parts
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

/** Where one of these signs stands without a backslash before it; for `####` and `::` where all of them do. */
function indexOfSign(text: string, signs: string, from = 0): number {
  const isRun = signs === '####' || signs === '::'
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\') at += 1
    else if (isRun ? text.startsWith(signs, at) : signs.includes(sign)) return at
  }
  return -1
}

function firstSign(text: string, signs: string): string {
  return text.charAt(indexOfSign(text, signs))
}

function splitAt(text: string, sign: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = indexOfSign(text, sign); at !== -1; at = indexOfSign(text, sign, from)) {
    parts.push(text.slice(from, at))
    from = at + 1
  }
  return [...parts, text.slice(from)]
}

function unescaped(text: string): string {
  return text.replace(/\\([\\:#={}~n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
}

function escapeGift(text: string): string {
  return text.replace(/[\\:#={}~]/g, '\\$&').replaceAll('\n', '\\n')
}

function questionText(question: Question): string {
  const texts = question.options.map(({ text }) => text)
  const { overall, each } = splitExplanation(question.explanation, texts)
  const right = question.options.filter(({ isRight }) => isRight).length
  const options = question.options.map(({ text, isRight }, place) => {
    const feedback = each[place] ? ` #${escapeGift(each[place])}` : ''
    return `  ${markOf(isRight, right)}${escapeGift(text)}${feedback}\n`
  })
  const tags = [question.difficulty, question.needsReview ? NEEDS_REVIEW_TAG : ''].filter((tag) => tag !== '')
  return [
    tags.length === 0 ? '' : `// ${tags.map((tag) => `[tag:${tag}]`).join(' ')}\n`,
    `::${escapeGift(question.id)}::[markdown]${escapeGift(question.stem)} {\n`,
    ...options,
    overall === '' ? '' : `  ####${escapeGift(overall)}\n`,
    '}\n',
  ].join('')
}

/** With several right answers a wrong one takes away what a right one gives. */
function markOf(isRight: boolean, right: number): string {
  if (right === 1) return isRight ? '=' : '~'
  const weight = (100 / right).toFixed(5).replace(/\.?0+$/, '')
  return `~%${isRight ? '' : '-'}${weight}%`
}
