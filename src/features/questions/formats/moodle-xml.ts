import { strToU8 } from 'fflate'
import { normaliseLine, reason } from '../rules.ts'
import type { Question } from '../schema.ts'
import { fromBase64, toBase64 } from './bytes.ts'
import { lostSentences } from './copy.ts'
import { joinExplanations, splitExplanation } from './explanations.ts'
import { type Found, findingStep, found, questionStep, type Reading } from './found.ts'
import { escapedLines, htmlInText, htmlToMarkdown } from './html.ts'
import { picturesShownBy, takePicture, withAddresses } from './pictures.ts'
import { NEEDS_REVIEW_TAG, takeTag } from './tags.ts'
import type { BroughtPicture, ExamToWrite, ReadStep, WrittenFile } from './schema.ts'
import { cdata, childOf, childrenOf, hasDoctype, parseXml, slicesOf, textIn, type XmlElement, xmlText } from './xml.ts'

/** Reads Moodle's XML: multichoice and truefalse; the category is the domain, general and answers' feedback the explanation. */
export function* readMoodleXml(file: string, text: string, reading: Reading): Generator<ReadStep> {
  if (hasDoctype(text)) yield findingStep('entities-left-aside', { file, severity: 'warning' })
  let domain = ''
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
    if (root) takeQuestion(read, root)
    read.facts = { domain, ...read.facts }
    yield questionStep(read, reading)
  }
}

export function writeMoodleXml(exam: ExamToWrite): WrittenFile {
  let domain: string | null = null
  const parts = exam.questions.flatMap((question) => {
    const isSame = question.domain === domain
    domain = question.domain
    return isSame ? [questionXml(question, exam)] : [categoryXml(exam.facts.title, domain), questionXml(question, exam)]
  })
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${parts.join('')}</quiz>\n`
  return { path: `${exam.facts.slug}.xml`, bytes: strToU8(text) }
}

/** The last part of a path like `$course$/top/AWS/Security`; a slash in a name is written twice. */
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

function takeQuestion(read: Found, root: XmlElement): void {
  const type = root.attributes['type'] ?? ''
  read.stem = markdownOf(childOf(root, 'questiontext'), read)
  if (type !== 'multichoice' && type !== 'truefalse') {
    read.reasons.push(reason('type-unsupported', '', type || 'none', read.line))
  }
  const answers = childrenOf(root, 'answer')
  read.answers = answers.map((answer) => ({ text: answerText(answer, type, read), isRight: false }))
  takeFractions(read, answers, type === 'truefalse' || isTrue(childOf(root, 'single')))
  const each = answers.map((answer) => markdownOf(childOf(answer, 'feedback'), read))
  const texts = read.answers.map(({ text }) => text)
  read.explanation = joinExplanations({ overall: markdownOf(childOf(root, 'generalfeedback'), read), each }, texts)
  takeTheRest(read, root)
}

function answerText(answer: XmlElement, type: string, read: Found): string {
  const text = markdownOf(answer, read)
  return type === 'truefalse' ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

function takeFractions(read: Found, answers: XmlElement[], isSingle: boolean): void {
  const fractions = answers.map(({ attributes }) => Number(attributes['fraction'] ?? '0') || 0)
  const most = Math.max(0, ...fractions)
  for (const [place, answer] of read.answers.entries()) {
    const fraction = fractions[place] ?? 0
    answer.isRight = isSingle ? fraction > 0 && fraction === most : fraction > 0
  }
  const right = fractions.filter((_, place) => read.answers[place]?.isRight)
  if (isSingle && right.length > 1) read.reasons.push(reason('type-contradicts-key', '', 'single', read.line))
  if (isSingle && most > 0 && most < 100)
    read.reasons.push(reason('key-uncertain', 'final_answer', `the best answer gives ${most} %`, read.line))
  const isPartial = fractions.some((fraction, place) => fraction > 0 && !read.answers[place]?.isRight)
  if (isPartial || new Set(right).size > 1) read.lost.push(lostSentences.credit())
}

/** What the file says beside the question itself. Moodle writes many of these into every question, so defaults are not told. */
function takeTheRest(read: Found, root: XmlElement): void {
  const name = normaliseLine(textIn(childOf(root, 'name', 'text')))
  if (name !== '' && !normaliseLine(read.stem).startsWith(name.replace(/…$|\.\.\.$/, '')))
    read.lost.push(lostSentences.name(name))
  for (const tag of childrenOf(childOf(root, 'tags'), 'tag')) takeTag(read, normaliseLine(textIn(childOf(tag, 'text'))))
  if (/^(?:0|false)$/.test(textIn(childOf(root, 'shuffleanswers')).trim())) read.lost.push(lostSentences.shuffle())
  const grade = Number(textIn(childOf(root, 'defaultgrade')) || '1')
  if (grade !== 1) read.lost.push(lostSentences.field('defaultgrade'))
  for (const field of ['hint', 'idnumber']) {
    if (textIn(childOf(root, field)).trim() !== '') read.lost.push(lostSentences.field(field))
  }
  for (const field of ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback']) {
    const said = htmlToMarkdown(textIn(childOf(root, field, 'text')), { lost: [] })
    if (said !== '' && !/^Your answer is (?:partially )?(?:correct|incorrect)\.?$/.test(said))
      read.lost.push(lostSentences.field(field))
  }
}

function isTrue(element: XmlElement | undefined): boolean {
  return /^(?:1|true)$/.test(textIn(element).trim())
}

/** A text of Moodle in the format that it names, with the files that lie beside it. */
function markdownOf(element: XmlElement | undefined, read: Found): string {
  if (!element) return ''
  const text = textIn(childOf(element, 'text'))
  const files = new Map(childrenOf(element, 'file').map((file) => [file.attributes['name'] ?? '', file]))
  const pictureOf = (address: string): string | null => {
    const inline = /^data:image\/(\w+)[^,]*;base64,(.*)$/s.exec(address)
    if (inline) return pictureFrom(read, `picture.${inline[1]}`, inline[2] ?? '')
    const name = /^@@PLUGINFILE@@\/(?:.*\/)?([^/?#]+)/.exec(address)?.[1]
    if (name === undefined) return /^(?:javascript|vbscript|data):/i.test(address) ? null : address
    const file = files.get(decoded(name)) ?? files.get(name)
    const kept = file ? pictureFrom(read, decoded(name), textIn(file)) : null
    if (kept === null) read.reasons.push(reason('picture-missing', 'question', decoded(name), read.line))
    return kept
  }
  switch (element.attributes['format']) {
    case 'markdown':
      return withAddresses(text, (address) => pictureOf(address) ?? undefined)
    case 'plain_text':
      return escapedLines(text)
    case 'moodle_auto_format':
      return htmlInText(text, read.lost)
    default:
      return htmlToMarkdown(text, { lost: read.lost, pictureOf })
  }
}

function pictureFrom(read: Found, name: string, base64: string): string | null {
  const bytes = fromBase64(base64)
  return bytes && bytes.length > 0 ? takePicture(read.pictures, name, bytes) : null
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

function questionXml(question: Question, { pictures }: ExamToWrite): string {
  const right = question.answers.filter(({ isRight }) => isRight).length
  const wrong = question.answers.length - right
  const texts = question.answers.map(({ text }) => text)
  const { overall, each } = splitExplanation(question.explanation, texts)
  const answers = question.answers.map(({ text, isRight }, place) => {
    const fraction = fractionOf(isRight, right, wrong)
    const feedback = textXml('feedback', each[place] ?? '', pictures)
    return `    <answer fraction="${fraction}" format="markdown">${textParts(text, pictures)}${feedback}</answer>\n`
  })
  const tags = [question.difficulty, question.needsReview ? NEEDS_REVIEW_TAG : ''].filter((tag) => tag !== '')
  return [
    '  <question type="multichoice">\n',
    `    <name><text>${xmlText(question.id)}</text></name>\n`,
    `    ${textXml('questiontext', question.stem, pictures)}\n`,
    `    ${textXml('generalfeedback', overall, pictures)}\n`,
    '    <defaultgrade>1</defaultgrade>\n    <penalty>0</penalty>\n    <hidden>0</hidden>\n',
    `    <single>${right === 1}</single>\n    <shuffleanswers>true</shuffleanswers>\n`,
    '    <answernumbering>ABCD</answernumbering>\n',
    ...answers,
    tags.length === 0 ? '' : `    <tags>${tags.map((tag) => `<tag><text>${tag}</text></tag>`).join('')}</tags>\n`,
    '  </question>\n',
  ].join('')
}

/** With several right answers a wrong one takes away what a right one gives, or choosing everything would be right. */
function fractionOf(isRight: boolean, right: number, wrong: number): string {
  if (isRight) return right === 1 ? '100' : (100 / right).toFixed(5).replace(/\.?0+$/, '')
  return right === 1 || wrong === 0 ? '0' : `-${(100 / right).toFixed(5).replace(/\.?0+$/, '')}`
}

function textXml(name: string, text: string, pictures: ReadonlyMap<string, BroughtPicture>): string {
  return `<${name} format="markdown">${textParts(text, pictures)}</${name}>`
}

function textParts(text: string, pictures: ReadonlyMap<string, BroughtPicture>): string {
  const shown = picturesShownBy([text]).flatMap((address) => pictures.get(address) ?? [])
  const written = withAddresses(text, (address) => {
    const picture = pictures.get(address)
    return picture && `@@PLUGINFILE@@/${encodeURIComponent(picture.name)}`
  })
  const files = shown.map(
    ({ name, bytes }) => `<file name="${xmlText(name)}" path="/" encoding="base64">${toBase64(bytes)}</file>`,
  )
  return `<text>${text === '' ? '' : cdata(written)}</text>${files.join('')}`
}
