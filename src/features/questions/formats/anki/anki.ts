import { reason } from '../../questions.ts'
import { readJson } from '../json/json-tree.ts'
import { fieldsOf } from '../json/json-values.ts'
import { readOwnQuestion } from '../json/question-json.ts'
import { lostPart, type LostPart } from '../lost-parts.schema.ts'
import { decodeText } from '../text-decoding.ts'
import { takeForeignNote } from './anki-foreign.ts'
import { notesInText } from './anki-text.ts'
import {
  type ParsedQuestion,
  findingStep,
  found,
  leftAsideStep,
  questionStep,
  type Reading,
} from '../parsed-question.ts'
import { NEEDS_REVIEW_TAG } from '../question-tags.ts'
import type { AttachedImage, ReadStep, SourceFile } from '../formats.schema.ts'
import { MAX_UNPACKED_BYTES } from '../archive.ts'
import { checkOfSides, OWN_FIELD } from './anki-card.ts'
import { DECK_MARK } from './anki-collection.ts'
import { type Budget, contentIn, mediaIn } from './anki-media.ts'
import { readCollection, type ReadNote } from './anki-notes.ts'
import { isSqlite } from './anki-schema-check.ts'

/** Newest first: a newer package also holds an old collection, whose only note asks to update Anki. */
const COLLECTIONS = ['collection.anki21b', 'collection.anki21', 'collection.anki2']

export function isCollection({ path, bytes }: SourceFile): boolean {
  return COLLECTIONS.includes(path.split('/').at(-1) ?? '') || isSqlite(bytes)
}

/** Reads packages of Anki. `line` is the number of the note. */
export function* readAnki(files: SourceFile[], reading: Reading): Generator<ReadStep> {
  const collections = files.filter(isCollection)
  for (const file of newestOf(collections)) yield* readPackage(file, reading)
  for (const { path } of collections) reading.used.add(path)
  // The other files of a package are its images; a text is one of its own.
  if (collections.length > 0) return
  for (const file of files) {
    const { text, encoding } = decodeText(file.bytes)
    reading.used.add(file.path)
    if (encoding !== 'UTF-8')
      yield findingStep('encoding-taken', { file: file.path, about: encoding, severity: 'warning' })
    const notes = [...notesInText(text)]
    if (notes.length === 0) yield findingStep('no-questions', { file: file.path })
    yield* readNotes(notes, { file: file.path, media: reading.files, used: new Set(), reading })
  }
}

/** One collection for each folder: the newest. Databases of other names are read, too. */
function newestOf(collections: SourceFile[]): SourceFile[] {
  const folderOf = ({ path }: SourceFile) => path.split('/').slice(0, -1).join('/')
  const rankOf = ({ path }: SourceFile) => COLLECTIONS.indexOf(path.split('/').at(-1) ?? '')
  return collections.filter(
    (one) =>
      rankOf(one) === -1 ||
      !collections.some(
        (other) => folderOf(other) === folderOf(one) && rankOf(other) !== -1 && rankOf(other) < rankOf(one),
      ),
  )
}

function* readPackage(file: SourceFile, reading: Reading): Generator<ReadStep> {
  const budget: Budget = { left: MAX_UNPACKED_BYTES }
  const content = contentIn(file, budget)
  const refuse = (about: string) => findingStep('file-unreadable', { file: file.path, about })
  if (content === null) {
    yield refuse('it is damaged, or unpacks to more than may be read.')
    return
  }
  const collection = readCollection(content)
  if (collection.problem !== undefined) {
    yield refuse(collection.problem)
    return
  }
  const folder = file.path.split('/').slice(0, -1)
  const beside = new Map(
    [...reading.files].flatMap(([path, one]) => {
      const parts = path.split('/')
      return parts.slice(0, -1).join('/') === folder.join('/') ? [[parts.at(-1) ?? '', one] as const] : []
    }),
  )
  const named = mediaIn(beside, budget)
  const media = new Map([...named].map(([name, one]) => [[...folder, name].join('/'), one]))
  for (const name of ['media', 'meta', ...numbersIn(beside)]) reading.used.add([...folder, name].join('/'))
  const used = new Set<string>()
  yield* readNotes(collection.notes, { file: file.path, media, used, reading })
  if (collection.notes.length === 0) yield findingStep('no-questions', { file: file.path })
  if (!collection.isWhole)
    yield refuse(`it holds more than is read at once; only the first ${collection.notes.length} notes were read.`)
  const unused = [...named.keys()].filter((name) => !used.has(name))
  if (unused.length > 0) yield leftAsideStep(unused)
}

function numbersIn(files: ReadonlyMap<string, unknown>): string[] {
  return [...files.keys()].filter((name) => /^\d+$/.test(name))
}

export interface NoteContext {
  readonly file: string
  /** The images of the package by their paths, beside the file. */
  readonly media: ReadonlyMap<string, SourceFile>
  /** Names of images that a question shows. */
  readonly used: Set<string>
  readonly reading: Reading
}

/** A deck begins an exam with the last part of its name. */
export function* readNotes(notes: Iterable<ReadNote>, context: NoteContext): Generator<ReadStep> {
  let deck: string | null = null
  for (const note of notes) {
    if (note.deck !== deck && note.deck !== '') {
      const title = note.deck.split(DECK_MARK).at(-1)?.trim() ?? ''
      if (title !== '') yield { kind: 'exam', file: context.file, facts: { title: title.slice(0, 199) } }
    }
    deck = note.deck
    yield noteStep(note, context)
  }
}

function noteStep(note: ReadNote, context: NoteContext): ReadStep {
  const own = note.fields.find(({ html }) => html.startsWith(OWN_FIELD))
  if (own !== undefined) return ownStep(note, own.html, context)
  const read = found(context.file, note.line)
  if (note.problem !== undefined) read.reasons.push(reason('type-unsupported', '', note.problem, note.line))
  else takeForeignNote(read, note)
  return withMedia(read, context)
}

/** The question with the images that its texts show. */
function withMedia(read: ParsedQuestion, { media, used, reading }: NoteContext): ReadStep {
  const shown = new Set<string>()
  const step = questionStep(read, { ...reading, files: media, used: shown })
  for (const path of shown) used.add(path.split('/').at(-1) ?? path)
  return step
}

/** A note that was exported from here. */
function ownStep(note: ReadNote, json: string, { file, media, used, reading }: NoteContext): ReadStep {
  const { value, broken } = readJson(json)
  const own = fieldsOf(value)
  const question = own.get('question')
  const pictures = new Map<string, AttachedImage>()
  const reasons = []
  for (const entry of listOf(own.get('pictures'))) {
    const { address, name } = Object.fromEntries(fieldsOf(entry))
    if (typeof address !== 'string' || typeof name !== 'string') continue
    const image = media.get([...file.split('/').slice(0, -1), name].join('/'))
    used.add(name)
    if (image === undefined) reasons.push(reason('picture-missing', 'question', name, note.line))
    else pictures.set(address, { name, bytes: image.bytes })
  }
  // The pictures of its case study, which the card shows and the question does not.
  for (const name of listOf(own.get('scenario'))) if (typeof name === 'string') used.add(name)
  const sides = note.fields.slice(0, 2).map(({ html }) => html)
  const lost: LostPart[] = otherTags(note).map((tag) => lostPart('tag', tag))
  if (own.get('card') !== checkOfSides(sides)) lost.push(lostPart('card'))
  const isBroken = broken.has(value) || broken.has(question)
  return readOwnQuestion(question, {
    file,
    line: note.line,
    isBroken,
    pictures,
    known: new Set(),
    reading,
    reasons,
    lost,
  })
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The tags that our export does not write. */
function otherTags({ tags }: ReadNote): string[] {
  return tags.filter((tag) => !/^(?:domain|difficulty)::/.test(tag) && tag !== NEEDS_REVIEW_TAG)
}
