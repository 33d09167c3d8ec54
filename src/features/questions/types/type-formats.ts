import type { LossKind } from '../formats/formats.copy.ts'
import type { AttachedImage } from '../formats/formats.schema.ts'
import type { LostPart } from '../formats/lost-parts.schema.ts'
import type { XmlElement } from '../formats/markup/xml-tree.ts'
import type { WrittenGap } from '../formats/moodle/written-gap.ts'
import type { Reason } from '../questions.schema.ts'
import type { RegisteredBody } from './registered/registered-unions.ts'
import type { TypeColumn, TypeFact } from './field-registry.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type { OfType } from './type-grading.ts'

/*
 * How a type is read from files and written to them. A format knows its syntax, positions, escapes and archives; a type knows
 * which of a format's blocks are its own and what they say. What a format passes to a type is a source below.
 */

/** What a file says about the parts of a question, before it is judged. */
export type ParsedBody = RegisteredBody

/** Where a reader reports what it finds. */
export interface BodyNotes {
  readonly line: number
  readonly reasons: Reason[]
  readonly lost: LostPart[]
}

/** The parts of a question, as a format reads them. */
export interface ReadParts<Body = ParsedBody> {
  readonly body: Body
  /** The explanation of each part by its place; empty where a part has none. */
  readonly each: string[]
  /** The names by which other elements of the file refer to the parts, by place. */
  readonly names?: readonly string[]
  /** The stem, if the type reads it differently than the format: with the places of its gaps. */
  readonly stem?: string
}

/** The block in braces of a GIFT question, without its general feedback. */
export interface GiftBlock {
  readonly content: string
  /** An escaped text of the block as Markdown. */
  readonly textOf: (written: string) => string
}

/** A question of Moodle's XML, by the name of its type. */
export interface MoodleQuestion {
  readonly type: string
  readonly root: XmlElement
  readonly markdownOf: (element: XmlElement | undefined) => string
}

/** The interactions of an item of QTI 2 or 3, in the names of QTI 2, with the response declaration of the first and the response processing. */
export interface QtiItem {
  readonly interactions: readonly XmlElement[]
  readonly response: XmlElement | undefined
  readonly processing: XmlElement | undefined
  /** The response declaration of each interaction. */
  readonly responses: readonly (XmlElement | undefined)[]
  readonly markdownOf: (element: XmlElement) => string
}

/** A response compared with a value: `varequal`, `vargte` and so on. */
export interface QtiComparison {
  readonly by: string
  readonly response: string
  readonly value: string
  /** The place of the value in an order, if it says one. */
  readonly index: string | undefined
  readonly isCaseSensitive: boolean
  /** The points that its condition gives. */
  readonly points: number
}

/** An item of QTI 1. */
export interface QtiOneItem {
  readonly root: XmlElement
  /** Its elements `response_lid`, and `response_grp` for an order. */
  readonly lists: readonly XmlElement[]
  /** Its elements `response_str` and `response_num`, for something to write. */
  readonly writes: readonly XmlElement[]
  /** The first element of another kind that wants a response. */
  readonly other: string | undefined
  /** What the conditions that give points compare a response with, in their order. */
  readonly comparisons: readonly QtiComparison[]
  /** The points that the response processing gives for each name. */
  readonly points: ReadonlyMap<string, number>
  readonly markdownOf: (element: XmlElement) => string
}

/** A row of a table whose columns are mapped. */
export interface TableRow {
  readonly cell: (column: TypeColumn) => string
}

/** A row of Udemy's practice test. */
export interface UdemyRow {
  /** The cell "Question Type", as it is and in lower case with hyphens. */
  readonly written: string
  readonly type: string
  /** The cells "Answer Option n", as Markdown. */
  readonly options: readonly string[]
  /** The numbers in "Correct Answers". */
  readonly right: ReadonlySet<string>
}

/** Parts under letters, and the answer key as the file writes it. */
export interface LetteredList {
  readonly parts: readonly { readonly letter: string; readonly text: string }[]
  readonly key: string | null
}

/** Parts with checkboxes. */
export interface BoxedList {
  readonly parts: readonly { readonly isMarked: boolean; readonly text: string }[]
}

/** An answer that a learner writes, as plain text. */
export interface WrittenAnswer {
  readonly answer: string
}

/** A JSON object of another bank. Names are in lower case without separators. */
export interface VotedFields {
  readonly has: (name: string) => boolean
  /** The value of the first of these names that has one. What is not taken is reported as lost. */
  readonly take: (names: readonly string[]) => unknown
  /** A text as Markdown. */
  readonly markdownOf: (text: string) => string
}

/** What each format passes to the types. QTI 2 and 3 differ only in names, the checked and single Markdown files only in their heads. */
export interface FormatSources {
  gift: GiftBlock
  aiken: LetteredList
  'moodle-xml': MoodleQuestion
  qti: QtiItem
  'qti-1': QtiOneItem
  csv: TableRow
  'udemy-csv': UdemyRow
  'markdown-numbered': LetteredList
  'markdown-boxes': BoxedList
  'voted-json': VotedFields
  anki: WrittenAnswer
}

export interface PartReader<Type extends QuestionType, Source> {
  /** Whether the source is a question of this type. */
  takes(source: Source): boolean
  /** The questions that it becomes, if it asks for more than one question of ours does. */
  apart?(source: Source): Source[]
  read(source: Source, notes: BodyNotes): ReadParts<OfType<ParsedBody, Type>>
}

/** Texts of a question in the elements of Moodle's XML. */
export interface MoodleTexts {
  /** The element `<text>`, with the files that it shows. */
  readonly textXml: (text: string) => string
  /** An element that says its format, with a text. */
  readonly elementXml: (name: string, text: string) => string
  /** The image that a text shows; undefined if the exam does not bring it along. */
  readonly imageIn: (text: string) => AttachedImage | undefined
}

/** A question's parts in Moodle's XML. `stem` is there if Moodle writes it differently, `explanation` if no part has a place for its own. */
export type WrittenMoodle = { type: string; settings: string; parts: string; stem?: string; explanation?: string }

/** The names of QTI 2; QTI 3 spells them differently. */
type QtiAttributes = Readonly<Record<string, string | number | boolean>>

/** What writes elements of QTI in the version of the package. */
export interface QtiTexts {
  readonly htmlOf: (text: string) => string
  /** For places without paragraphs: what is none stands in lines. */
  readonly inlineOf: (text: string) => string
  /** An element with what is inside it. Several pieces stand on lines of their own. */
  readonly element: (name: string, attributes: QtiAttributes, ...inside: readonly string[]) => string
  /** The declaration of a response with its correct values. */
  readonly declared: (attributes: QtiAttributes, values: readonly string[], ...inside: readonly string[]) => string
  /** The image that a Markdown text shows, as the picture of an interaction. */
  readonly pictureXml: (image: string, size: QtiAttributes) => string
}

/** A question's parts in QTI 2 and 3. */
export interface WrittenQti {
  /** The declarations of its responses. */
  readonly declarations: readonly string[]
  /** What stands below the text. */
  readonly interaction: string
  /** What makes the response right, if it is not the correct response. */
  readonly condition?: string
  /** The identifiers of the responses, if they are others than `RESPONSE`. */
  readonly responses?: readonly string[]
  /** The text of the item with interactions inside it. */
  readonly bodyOf?: (html: string) => string
}

/** A question's parts on the two sides of a card, as HTML. */
export interface WrittenCard {
  /** What stands below the text. */
  readonly front: string
  /** What stands above the explanation. */
  readonly back: string
}

/** How the parts of a question are written. @param each the explanation of each part by its place */
export interface PartWriters<Type extends QuestionType> {
  /** Lines between the braces. */
  gift?(question: OfType<Question, Type>, each: readonly string[]): string
  'moodle-xml'?(question: OfType<Question, Type>, each: readonly string[], texts: MoodleTexts): WrittenMoodle
  /** The question as a gap in a text; null if a gap can't say all of it. */
  'moodle-gap'?(question: OfType<Question, Type>): WrittenGap | null
  qti?(question: OfType<Question, Type>, texts: QtiTexts): WrittenQti
  'udemy-csv'?(question: OfType<Question, Type>): { type: string; options: string[]; right: string }
  anki?(question: OfType<Question, Type>, htmlOf: (text: string) => string): WrittenCard
}

/** A part of a question in our Markdown: its mark, its id if the file gives one, its text. */
export interface MarkdownPart {
  readonly mark: string
  readonly id: string | null
  readonly text: string
}

/** How a type stands in our own Markdown (docs/content-format.md). */
export interface OwnMarkdown<Type extends QuestionType> {
  /** The beginning of a part; null if the line begins none. */
  readPart(line: string): { mark: string; text: string } | null
  /** Whether a line looks as if it should begin a part. */
  isNearlyPart(line: string): boolean
  /** The fields of the parts, for `judgeQuestion`. */
  inputOf(parts: readonly MarkdownPart[]): Record<string, unknown>
  /** The parts as they are printed, with the id that each gets when the file names none. */
  partsOf(question: OfType<Question, Type>): { mark: string; id: string; derivedId: string; text: string }[]
  /** Lines `name: value`; those without a value are not printed. */
  factsOf(question: OfType<Question, Type>): (readonly [TypeFact, string])[]
}

/** The fields of a type in our own JSON, which are also those of `judgeQuestion`. */
export interface OwnJson {
  /** The names in `body`. */
  readonly bodyFields: readonly string[]
  isField(name: string): boolean
  /** The value of a field with its Markdown texts changed. */
  withTexts(name: string, value: unknown, change: (text: string) => string): unknown
}

/** What the formats need of a type. A type that lacks a reader or writer is refused or left out there. */
export interface TypeFormats<Type extends QuestionType> {
  /** The parts of a question about which a file says nothing. */
  emptyBody(): OfType<ParsedBody, Type>
  /** The fields of a body, for `judgeQuestion`. */
  inputOf(body: OfType<ParsedBody, Type>): Record<string, unknown>
  /** The texts that give a question its key where its file names none. */
  keyTexts(body: OfType<ParsedBody, Type>): string[]
  withTexts(body: OfType<ParsedBody, Type>, change: (text: string) => string): OfType<ParsedBody, Type>
  /** The texts under which the parts are explained one by one. */
  explainedTexts(of: OfType<ParsedBody, Type> | OfType<Question, Type>): string[]
  /** The losses in the parts after they were written to a format and read back. @param isSame compares a text that went out with one that came back */
  losses(
    out: OfType<Question, Type>,
    back: OfType<Question, Type>,
    isSame: (out: string, back: string) => boolean,
  ): LossKind[]
  readonly markdown: OwnMarkdown<Type>
  readonly json: OwnJson
  readonly readers: { readonly [Name in keyof FormatSources]?: PartReader<Type, FormatSources[Name]> }
  readonly writers: PartWriters<Type>
}
