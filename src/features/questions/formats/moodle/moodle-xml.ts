import { counted } from '../../../../lib/text.ts'
import { caseStudyTexts } from '../../case-studies/case-studies.ts'
import { normaliseLine } from '../../question-text.ts'
import { explainedTexts, isTaken, moodleOf, readParts, sourcesApart } from '../../types/format-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { strToU8 } from 'fflate'
import { reason } from '../../questions.ts'
import { fromBase64, toBase64 } from '../base64.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { joinExplanations, splitExplanation } from '../part-explanations.ts'
import { clozeParts, isApart, whyNoCloze } from './moodle-case-study.ts'
import { clozeOf, isSameCaseStudy } from './moodle-case-study-writer.ts'
import { moodleTypeOf } from './moodle-text.ts'
import { type ParsedQuestion, findingStep, found, questionStep, type Reading } from '../parsed-question.ts'
import { escapedLines, htmlInText, htmlToMarkdown } from '../markup/html-to-markdown.ts'
import { readImage } from '../bank-images.ts'
import { IMAGE_SCHEME, imagesShownBy, shownImages, withAddresses } from '../../image-addresses.ts'
import { NEEDS_REVIEW_TAG, takeTag } from '../question-tags.ts'
import type { AttachedImage, ExamToWrite, ReadStep, WrittenFile } from '../formats.schema.ts'
import {
  cdata,
  childOf,
  childrenOf,
  hasDoctype,
  parseXml,
  slicesOf,
  textIn,
  type XmlElement,
  xmlText,
} from '../markup/xml-tree.ts'

/**
 * Reads Moodle's XML. The category becomes the domain; the general feedback and that of each part become the explanation. A cloze with
 * gaps of several kinds becomes a case study.
 */
export function* readMoodleXml(file: string, text: string, reading: Reading): Generator<ReadStep> {
  if (hasDoctype(text)) yield findingStep('entities-left-aside', { file, severity: 'warning' })
  let domain = ''
  const apart: Apart = { taken: new Set(), lines: [] }
  for (const slice of slicesOf(text, 'question')) {
    const read = found(file, slice.line)
    const { root, problem, unknownEntities } = parseXml(slice.text)
    const broken = problem ?? (slice.isWhole ? null : 'the element <question> has no end')
    if (broken !== null) read.reasons.push(reason('syntax-broken', '', broken, slice.line))
    for (const entity of unknownEntities) read.reasons.push(reason('entity-unknown', '', entity, slice.line))
    if (broken === null && root?.attributes['type'] === 'category') {
      domain = domainOf(textIn(childOf(root, 'category', 'text')))
      continue
    }
    if (broken === null && root && isApart(root)) {
      yield* readApart(root, { read, domain, apart, reading })
      continue
    }
    for (const one of root ? rootsOf(root) : [null]) {
      const question = { ...read, reasons: [...read.reasons], lost: [...read.lost], images: [] }
      if (one) takeQuestion(question, one)
      question.facts = { domain, ...question.facts }
      yield questionStep(question, reading)
      // What no type holds is told once.
      if (question.reasons.some(({ code }) => code === 'type-unsupported')) break
    }
  }
  const [line] = apart.lines
  const about = counted(apart.lines.length, 'text with several gaps', 'texts with several gaps')
  if (line !== undefined) yield findingStep('clozes-apart', { file, line, about, severity: 'warning' })
}

/** The clozes of a file that became case studies. */
interface Apart {
  /** The keys of the case studies. */
  readonly taken: Set<string>
  readonly lines: number[]
}

/** The case studies of a cloze, each before its questions. */
function* readApart(
  root: XmlElement,
  { read, domain, apart, reading }: { read: ParsedQuestion; domain: string; apart: Apart; reading: Reading },
): Generator<ReadStep> {
  const { file, line } = read
  const scenario = found(file, line)
  const parts = clozeParts(root, { markdownOf: (element) => markdownOf(element, scenario), taken: apart.taken })
  for (const { facts } of scenario.reasons)
    yield findingStep('case-study-picture-missing', { file, line, about: facts[0] ?? '', severity: 'warning' })
  if (parts.length === 0) {
    takeQuestion(read, root)
    yield questionStep({ ...read, facts: { domain, ...read.facts } }, reading)
    return
  }
  apart.lines.push(line)
  for (const [at, { caseStudy, isNew, first, questions, lost }] of parts.entries()) {
    const shown = new Set(caseStudyTexts(caseStudy).flatMap(shownImages))
    const images = scenario.images.filter(({ name }) => shown.has(IMAGE_SCHEME + name))
    if (isNew) yield { kind: 'case-study', file, line, caseStudy, images }
    for (const [place, one] of questions.entries()) {
      const isFirst = at + place === 0
      const question = { ...read, reasons: [], lost: isFirst ? [...scenario.lost, ...lost] : [], images: [] }
      takeQuestion(question, one)
      const facts = { domain, ...question.facts, case_study: caseStudy.id }
      yield withGap(questionStep({ ...question, facts, keyScope: caseStudy.id }, reading), first + place)
    }
  }
}

export function writeMoodleXml(exam: ExamToWrite): WrittenFile {
  let domain: string | null = null
  const parts = rowsOf(exam.questions).flatMap((row) => {
    const category = row[0]?.domain === domain ? '' : categoryXml(exam.facts.title, row[0]?.domain ?? '')
    domain = row.at(-1)?.domain ?? domain
    const cloze = clozeXml(row, exam)
    return cloze === null ? questionsXml(row, exam, category) : [category, cloze]
  })
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${parts.join('')}</quiz>\n`
  return { path: `${exam.facts.slug}.xml`, bytes: strToU8(text) }
}

/** The questions of a case study that follow each other together, every other one by itself. */
function rowsOf(questions: readonly Question[]): Question[][] {
  const rows: Question[][] = []
  for (const question of questions) {
    const { caseStudy } = question
    const last = rows.at(-1)
    if (last && caseStudy !== undefined && last[0]?.caseStudy === caseStudy) last.push(question)
    else rows.push([question])
  }
  return rows
}

function questionsXml([first, ...others]: readonly Question[], exam: ExamToWrite, category: string): string[] {
  if (first === undefined) return []
  let { domain } = first
  return [
    category,
    questionXml(first, exam),
    ...others.flatMap((question) => {
      const isSame = question.domain === domain
      domain = question.domain
      const xml = questionXml(question, exam)
      return isSame ? [xml] : [categoryXml(exam.facts.title, domain), xml]
    }),
  ]
}

/** A case study as a cloze, if reading it gives the same; null for what is none. */
function clozeXml(row: readonly Question[], exam: ExamToWrite): string | null {
  const caseStudy = exam.caseStudies?.find(({ id }) => id === row[0]?.caseStudy)
  const areAll = exam.questions.filter((question) => question.caseStudy === caseStudy?.id).length === row.length
  const cloze = caseStudy && areAll ? clozeOf(caseStudy, row) : null
  if (!caseStudy || cloze === null) return null
  const { images } = exam
  const xml = elementXml({
    type: 'cloze',
    name: caseStudy.title,
    stem: textXml('questiontext', cloze.text, images),
    explanation: textXml('generalfeedback', cloze.explanation, images),
    settings: `    <penalty>0</penalty>\n    <hidden>0</hidden>\n    <idnumber>${xmlText(caseStudy.id)}</idnumber>\n`,
    tags: row[0] ? tagsOf(row[0]) : '',
  })
  const reading: Reading = { files: new Map(), taken: new Map(), used: new Set() }
  const back = [...readMoodleXml('', `<quiz>${xml}</quiz>`, reading)]
  return isSameCaseStudy(back, { caseStudy, questions: row, images }) ? xml : null
}

/** The last part of a path like `$course$/top/AWS/Security`. A slash in a name is doubled. */
export function domainOf(category: string): string {
  const parts = normaliseLine(category)
    .split(/(?<!\/)\/(?!\/)/)
    .map((part) => part.replaceAll('//', '/').trim())
  const last = parts.at(-1) ?? ''
  return /^\$\w+\$$|^top$/.test(last) ? '' : last
}

export function categoryOf(title: string, domain: string): string {
  const part = (name: string) => normaliseLine(name).replaceAll('/', '//')
  return `$course$/top/${part(title)}/${part(domain)}`
}

/** Says in which gap the fault is. */
function withGap(step: ReadStep, number: number): ReadStep {
  if (step.kind !== 'question' || step.question.verdict !== 'refused') return step
  const { question } = step
  const reasons = [reason('gap-of-cloze', '', String(number), question.line), ...question.reasons]
  return { kind: 'question', question: { ...question, reasons } }
}

/** The element, or one for each question that it becomes. */
function rootsOf(root: XmlElement): XmlElement[] {
  const source = { type: moodleTypeOf(root), root, markdownOf: () => '' }
  return sourcesApart('moodle-xml', source).map((apart) => apart.root)
}

function takeQuestion(read: ParsedQuestion, root: XmlElement): void {
  const markdown = (element: XmlElement | undefined) => markdownOf(element, read)
  const source = { type: moodleTypeOf(root), root, markdownOf: markdown }
  if (!isTaken('moodle-xml', source)) read.reasons.push(reason('type-unsupported', '', whyNone(root), read.line))
  const { body, each, stem } = readParts('moodle-xml', source, read)
  read.stem = stem ?? markdownOf(childOf(root, 'questiontext'), read)
  read.body = body
  const overall = markdownOf(childOf(root, 'generalfeedback'), read)
  read.explanation = joinExplanations({ overall, each }, explainedTexts(body))
  takeTheRest(read, root)
}

/** Why no type takes a question: the name of its type, and what of it fits no type of ours. */
function whyNone(root: XmlElement): string {
  const type = moodleTypeOf(root)
  return type === 'cloze' ? whyNoCloze(root) : type || 'none'
}

/** Reports the other settings of a question as lost. Moodle writes many of them into every question, so defaults are not reported. */
function takeTheRest(read: ParsedQuestion, root: XmlElement): void {
  const name = normaliseLine(textIn(childOf(root, 'name', 'text')))
  if (name !== '' && !normaliseLine(read.stem).startsWith(name.replace(/…$|\.\.\.$/, '')))
    read.lost.push(lostPart('name', name))
  for (const tag of childrenOf(childOf(root, 'tags'), 'tag')) takeTag(read, normaliseLine(textIn(childOf(tag, 'text'))))
  const isShuffled = !/^(?:0|false)$/.test(textIn(childOf(root, 'shuffleanswers')).trim())
  if (!isShuffled && !('order' in read.body)) read.lost.push(lostPart('shuffle'))
  const grade = Number(textIn(childOf(root, 'defaultgrade')) || '1')
  if (grade !== 1) read.lost.push(lostPart('field', 'defaultgrade'))
  for (const field of ['hint', 'idnumber']) {
    if (textIn(childOf(root, field)).trim() !== '') read.lost.push(lostPart('field', field))
  }
  for (const field of ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback']) {
    const said = htmlToMarkdown(textIn(childOf(root, field, 'text')), { lost: [] })
    if (said !== '' && !/^Your answer is (?:partially )?(?:correct|incorrect)\.?$/.test(said))
      read.lost.push(lostPart('field', field))
  }
}

/** A text in the format that its element names, with the files inside the element. */
function markdownOf(element: XmlElement | undefined, read: ParsedQuestion): string {
  if (!element) return ''
  const text = textIn(childOf(element, 'text'))
  const files = new Map(childrenOf(element, 'file').map((file) => [file.attributes['name'] ?? '', file]))
  const imageOf = (address: string): string | null => {
    const inline = /^data:image\/(\w+)[^,]*;base64,(.*)$/s.exec(address)
    if (inline) return imageFrom(read, `picture.${inline[1]}`, inline[2] ?? '')
    const name = /^@@PLUGINFILE@@\/(?:.*\/)?([^/?#]+)/.exec(address)?.[1]
    if (name === undefined) return /^(?:javascript|vbscript|data):/i.test(address) ? null : address
    const file = files.get(decoded(name)) ?? files.get(name)
    const kept = file ? imageFrom(read, decoded(name), textIn(file)) : null
    if (kept === null) read.reasons.push(reason('picture-missing', 'question', decoded(name), read.line))
    return kept
  }
  switch (element.attributes['format']) {
    case 'markdown':
      return withAddresses(text, (address) => imageOf(address) ?? undefined)
    case 'plain_text':
      return escapedLines(text)
    case 'moodle_auto_format':
      return htmlInText(text, read.lost)
    default:
      return htmlToMarkdown(text, { lost: read.lost, imageOf })
  }
}

function imageFrom(read: ParsedQuestion, name: string, base64: string): string | null {
  const bytes = fromBase64(base64)
  return bytes && bytes.length > 0 ? readImage(read.images, name, bytes) : null
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // A lone % is no escape.
    return name
  }
}

function categoryXml(title: string, domain: string): string {
  return `  <question type="category">\n    <category><text>${xmlText(categoryOf(title, domain))}</text></category>\n  </question>\n`
}

function questionXml(question: Question, { images }: ExamToWrite): string {
  const { overall, each } = splitExplanation(question.explanation, explainedTexts(question))
  const {
    type,
    settings,
    parts,
    stem = question.stem,
    explanation = overall,
  } = moodleOf(question, each, {
    textXml: (text) => textParts(text, images),
    elementXml: (name, text) => textXml(name, text, images),
    imageIn: (text) => imagesShownBy([text]).flatMap((address) => images.get(address) ?? [])[0],
  })
  return elementXml({
    type,
    name: question.id,
    stem: textXml('questiontext', stem, images),
    explanation: textXml('generalfeedback', explanation, images),
    settings: `    <defaultgrade>1</defaultgrade>\n    <penalty>0</penalty>\n    <hidden>0</hidden>\n${settings}${parts}`,
    tags: tagsOf(question),
  })
}

function elementXml(of: Record<'type' | 'name' | 'stem' | 'explanation' | 'settings' | 'tags', string>): string {
  return [
    `  <question type="${of.type}">\n`,
    `    <name><text>${xmlText(of.name)}</text></name>\n`,
    `    ${of.stem}\n`,
    `    ${of.explanation}\n`,
    of.settings,
    of.tags,
    '  </question>\n',
  ].join('')
}

function tagsOf({ difficulty, needsReview }: Question): string {
  const tags = [difficulty, needsReview ? NEEDS_REVIEW_TAG : ''].filter((tag) => tag !== '')
  return tags.length === 0 ? '' : `    <tags>${tags.map((tag) => `<tag><text>${tag}</text></tag>`).join('')}</tags>\n`
}

function textXml(name: string, text: string, images: ReadonlyMap<string, AttachedImage>): string {
  return `<${name} format="markdown">${textParts(text, images)}</${name}>`
}

function textParts(text: string, images: ReadonlyMap<string, AttachedImage>): string {
  const shown = imagesShownBy([text]).flatMap((address) => images.get(address) ?? [])
  const written = withAddresses(text, (address) => {
    const image = images.get(address)
    return image && `@@PLUGINFILE@@/${encodeURIComponent(image.name)}`
  })
  const files = shown.map(
    ({ name, bytes }) => `<file name="${xmlText(name)}" path="/" encoding="base64">${toBase64(bytes)}</file>`,
  )
  return `<text>${text === '' ? '' : cdata(written)}</text>${files.join('')}`
}
