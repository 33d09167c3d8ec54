import { Parser } from 'htmlparser2'
import { lengthOf } from '../../../../lib/text.ts'
import { normaliseLine } from '../../question-text.ts'
import { reason } from '../../questions.ts'
import { readParts } from '../../types/format-registry.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { htmlToMarkdown } from '../markup/html-to-markdown.ts'
import type { ParsedQuestion } from '../parsed-question.ts'
import { takeTag } from '../question-tags.ts'
import { type AnkiOption, keyOfText, letterAt, listedOptions } from './anki-options.ts'
import type { ReadNote } from './anki-notes.ts'

type Field = { readonly name: string; readonly html: string }

const QUESTION = /^(?:question|front|stem|prompt|text|q)$/i
const OPTION = /^(?:(?:option|answer|choice|opt)[ _-]?([a-l]|\d{1,2})|q_(\d{1,2})|([a-l]))$/i
const KEY = /^(?:answers?|back|key|solution|(?:correct|right)(?: (?:answers?|options?))?)$/i
const EXPLANATION = /^(?:explanations?|(?:back )?extra(?: \d)?|notes?|feedback|rationale|comments?|remarks?)$/i

/** Room for a name or a phrase. A longer back is an explanation, and nobody would type it. */
const LONGEST_ANSWER = 100

/**
 * Reads a note that was not exported from here: a cloze, options in fields of their own, options listed in the text, or a front with a
 * short back. Any other note is refused with the reason.
 */
export function takeForeignNote(read: ParsedQuestion, note: ReadNote): void {
  takeTags(read, note.tags)
  const fields = note.fields.flatMap((field): Field[] => {
    const html = withoutSounds(field.html, read)
    return html.trim() === '' ? [] : [{ name: field.name.trim(), html }]
  })
  const [first] = fields
  const question = fields.find(({ name }) => QUESTION.test(name)) ?? first
  if (question === undefined) return refuse(read, 'a note without text')
  const cloze = fields.find(({ html }) => /\{\{c\d+::/.test(html))
  if (cloze !== undefined) return takeCloze(read, cloze, fields)
  const options = fields.filter(({ name }) => OPTION.test(name))
  if (options.length >= 2) return takeFieldedChoice(read, { question, options, fields })
  const others = fields.filter((field) => field !== question)
  const back = others.find(({ name }) => KEY.test(name)) ?? others[0]
  read.stem = markdownOf(question, read)
  if (back === undefined) return refuse(read, 'a note of one field')
  takeOthers(
    read,
    others.filter((field) => field !== back),
  )
  const listed = listedOptions(read.stem)
  if (listed !== null) return takeListedChoice(read, listed, back)
  const answer = plainAnswer(back.html)
  if (answer === null)
    refuse(read, `a card whose back is not one line of plain text with at most ${LONGEST_ANSWER} characters`)
  else read.body = readParts('anki', { answer }, read).body
}

function refuse(read: ParsedQuestion, about: string): void {
  read.reasons.push(reason('type-unsupported', '', about, read.line))
}

/** Tags as our export writes them, and the usual ones of other formats. */
function takeTags(read: ParsedQuestion, tags: readonly string[]): void {
  for (const tag of tags) {
    const domain = /^domain::(.+)$/s.exec(tag)?.[1]
    if (domain !== undefined) read.facts = { ...read.facts, domain: domain.replaceAll('_', ' ') }
    else takeTag(read, tag.replace(/^difficulty::/, ''))
  }
}

function withoutSounds(html: string, read: ParsedQuestion): string {
  return html.replaceAll(/\[sound:[^\][]{0,500}\]/g, () => {
    read.lost.push(lostPart('markup', 'sound'))
    return ''
  })
}

function markdownOf({ html }: Field, read: ParsedQuestion): string {
  return htmlToMarkdown(html, { lost: read.lost })
}

/** Explanations are kept; what any other field says is reported. */
function takeOthers(read: ParsedQuestion, others: readonly Field[]): void {
  const isExplanation = ({ name }: Field) => EXPLANATION.test(name)
  const texts = others.filter(isExplanation).map((field) => markdownOf(field, read))
  read.explanation = [read.explanation, ...texts].filter((text) => text !== '').join('\n\n')
  for (const field of others.filter((one) => !isExplanation(one)))
    read.lost.push(
      lostPart('field', field.name === '' ? normaliseLine(markdownOf(field, read)).slice(0, 60) : field.name),
    )
}

/** `{{c1::answer::hint}}`: a text with one gap is a question, one with several is none. */
function takeCloze(read: ParsedQuestion, field: Field, fields: readonly Field[]): void {
  const { html } = field
  takeOthers(
    read,
    fields.filter((other) => other !== field),
  )
  const start = html.search(/\{\{c\d+::/)
  const end = html.indexOf('}}', start)
  const inside = html.slice(html.indexOf('::', start) + 2, end)
  const isOne = end !== -1 && !/\{\{c\d+::/.test(inside + html.slice(end))
  if (!isOne) {
    read.stem = markdownOf(field, read)
    return refuse(read, 'a note with several clozes; a note with one is read')
  }
  const [written = '', ...hint] = inside.split('::')
  const shown = hint.length === 0 ? '' : ` (${hint.join('::')})`
  const asked = markdownOf({ ...field, html: `${html.slice(0, start)}_____${shown}${html.slice(end + 2)}` }, read)
  // Underscores are escaped in Markdown; a gap shows the same without.
  read.stem = asked.replace('\\_\\_\\_\\_\\_', '_____')
  const answer = plainAnswer(written)
  if (answer === null)
    refuse(read, `a cloze that is not one line of plain text with at most ${LONGEST_ANSWER} characters`)
  else read.body = readParts('anki', { answer }, read).body
}

/** Note types with a field for each option, and one that names the right ones by letters, numbers, texts, or `0 1 0`. */
function takeFieldedChoice(
  read: ParsedQuestion,
  { question, options, fields }: { question: Field; options: readonly Field[]; fields: readonly Field[] },
): void {
  read.stem = markdownOf(question, read)
  const key = fields.find((field) => field !== question && KEY.test(field.name))
  takeOthers(
    read,
    fields.filter((field) => field !== question && field !== key && !options.includes(field)),
  )
  const given = options.map((option): AnkiOption => {
    const [, one, two, three] = OPTION.exec(option.name) ?? []
    return { name: (one ?? two ?? three ?? '').toUpperCase(), text: markdownOf(option, read) }
  })
  takeChoice(read, given, key === undefined ? null : keyOfText(markdownOf(key, read), given))
}

function takeListedChoice(read: ParsedQuestion, listed: { stem: string; options: AnkiOption[] }, back: Field): void {
  read.stem = listed.stem
  takeChoice(read, listed.options, keyOfText(markdownOf(back, read), listed.options))
}

function takeChoice(read: ParsedQuestion, options: readonly AnkiOption[], key: ReturnType<typeof keyOfText>): void {
  const parts = options.map(({ text }, place) => ({ letter: letterAt(place), text }))
  const letters = (key?.places ?? []).map(letterAt).join(' ')
  read.body = readParts('aiken', { parts, key: letters === '' ? null : letters }, read).body
  if (key === null) return refuse(read, 'options of which the answer names none')
  read.explanation = [key.rest, read.explanation].filter((text) => text !== '').join('\n\n')
}

const PLAIN = new Set(['b', 'i', 'u', 'em', 'strong', 'span', 'div', 'p', 'br', 'font'])
const LINES = new Set(['div', 'p', 'br'])

/** What a field says, if it is one short line without anything but emphasis. */
function plainAnswer(html: string): string | null {
  let text = ''
  let isPlain = true
  const parser = new Parser({
    onopentag(name) {
      isPlain &&= PLAIN.has(name)
      if (LINES.has(name)) text += '\n'
    },
    ontext(part) {
      text += part
    },
  })
  parser.end(html.slice(0, 10_000))
  const line = text.replaceAll('\u00a0', ' ').trim()
  const isShort = html.length <= 10_000 && !line.includes('\n') && lengthOf(line) <= LONGEST_ANSWER
  return isPlain && isShort && line !== '' ? normaliseLine(line) : null
}
