import type { LossKind } from '../formats/formats.copy.ts'
import type { ExportFormat } from '../formats/formats.schema.ts'
import type { WrittenGap } from '../formats/moodle/written-gap.ts'
import { FORMATS } from './registered/registered-formats.ts'
import { DEFAULT_TYPE, typeOfGiven } from './content-registry.ts'
import { isFactUnused, isTypeFact, type TypeFact } from './field-registry.ts'
import type { Question, QuestionType } from './question-types.schema.ts'
import type {
  BodyNotes,
  FormatSources,
  MarkdownPart,
  MoodleTexts,
  OwnMarkdown,
  ParsedBody,
  PartReader,
  PartWriters,
  QtiTexts,
  ReadParts,
  TypeFormats,
  WrittenCard,
  WrittenMoodle,
  WrittenQti,
} from './type-formats.ts'

const registry: { readonly [Type in QuestionType]: TypeFormats<Type> } = FORMATS
/** The order in which types are tried for a source. The default type comes last, because it accepts most sources. */
const types = (Object.keys(registry) as QuestionType[]).sort(
  (one, other) => Number(one === DEFAULT_TYPE) - Number(other === DEFAULT_TYPE),
)

/** The cast is safe because the callers below pass values of equal type. */
function formatsOf({ type }: { readonly type: QuestionType }): TypeFormats<QuestionType> {
  return registry[type] as TypeFormats<QuestionType>
}

type SourceName = keyof FormatSources
type Reader<Name extends SourceName> = PartReader<QuestionType, FormatSources[Name]>

function readerOf<Name extends SourceName>(name: Name, type: QuestionType): Reader<Name> | undefined {
  return formatsOf({ type }).readers[name]
}

function takerOf<Name extends SourceName>(name: Name, source: FormatSources[Name]): QuestionType | undefined {
  return types.find((type) => readerOf(name, type)?.takes(source) === true)
}

/** Whether some type reads this source. One that no type reads is refused as `type-unsupported`. */
export function isTaken<Name extends SourceName>(name: Name, source: FormatSources[Name]): boolean {
  return takerOf(name, source) !== undefined
}

/** A source, or the sources of the questions that its type makes of it. */
export function sourcesApart<Name extends SourceName>(name: Name, source: FormatSources[Name]): FormatSources[Name][] {
  const type = takerOf(name, source)
  const reader = type && readerOf(name, type)
  return reader?.apart?.(source) ?? [source]
}

/** Reads with the type that takes the source. A source that no type takes is read as the default type, so that an admin can correct it. */
export function readParts<Name extends SourceName>(
  name: Name,
  source: FormatSources[Name],
  notes: BodyNotes,
): ReadParts {
  const reader = readerOf(name, takerOf(name, source) ?? DEFAULT_TYPE)
  return reader?.read(source, notes) ?? { body: emptyBody(), each: [] }
}

/** The parts of a question about which a file says nothing. */
export function emptyBody(): ParsedBody {
  return formatsOf({ type: DEFAULT_TYPE }).emptyBody()
}

/** The fields of the parts, for `judgeQuestion`. */
export function inputOfBody(body: ParsedBody): Record<string, unknown> {
  return formatsOf(body).inputOf(body)
}

/** The texts of the parts that give a question its key where its file names none. */
export function keyTextsOf(body: ParsedBody): string[] {
  return formatsOf(body).keyTexts(body)
}

export function withBodyTexts(body: ParsedBody, change: (text: string) => string): ParsedBody {
  return formatsOf(body).withTexts(body, change)
}

/** The texts under which the parts are explained one by one. */
export function explainedTexts(of: ParsedBody | Question): string[] {
  return formatsOf(of).explainedTexts(of)
}

/** The losses in the parts of a question after it was written to a format and read back. @param isSame compares a text that went out with one that came back */
export function lossesOfParts(
  out: Question,
  back: Question,
  isSame: (out: string, back: string) => boolean,
): LossKind[] {
  return out.type === back.type ? formatsOf(out).losses(out, back, isSame) : ['whole']
}

type Writers = PartWriters<QuestionType>

/** Whether a format has a place for questions of this type. Our own formats have one for every type. */
export function canWrite(format: ExportFormat, { type }: { readonly type: QuestionType }): boolean {
  if (format === 'json' || format === 'markdown') return true
  const { writers } = formatsOf({ type })
  return (format === 'qti-2' || format === 'qti-3' ? writers.qti : writers[format]) !== undefined
}

function writerOf<Name extends keyof Writers>(name: Name, question: Question): NonNullable<Writers[Name]> {
  const writer = formatsOf(question).writers[name]
  if (writer === undefined) throw new Error(`${name} has no place for questions of the type ${question.type}`)
  return writer
}

/** Lines between the braces. @param each the explanation of each part by its place, here and below */
export function giftOf(question: Question, each: readonly string[]): string {
  return writerOf('gift', question)(question, each)
}

export function moodleOf(question: Question, each: readonly string[], texts: MoodleTexts): WrittenMoodle {
  return writerOf('moodle-xml', question)(question, each, texts)
}

/** The question as a gap in a text of Moodle; null if a gap can't say all of it. */
export function moodleGapOf(question: Question): WrittenGap | null {
  return formatsOf(question).writers['moodle-gap']?.(question) ?? null
}

export function qtiOf(question: Question, texts: QtiTexts): WrittenQti {
  return writerOf('qti', question)(question, texts)
}

export function udemyOf(question: Question): { type: string; options: string[]; right: string } {
  return writerOf('udemy-csv', question)(question)
}

export function cardOf(question: Question, htmlOf: (text: string) => string): WrittenCard {
  return writerOf('anki', question)(question, htmlOf)
}

/** The beginning of a part in our Markdown; null if the line begins none. @param type that of the parts before it, if there are any */
export function readMarkdownPart(
  line: string,
  type?: QuestionType,
): { type: QuestionType; mark: string; text: string } | null {
  for (const asked of type === undefined ? types : [type]) {
    const part = formatsOf({ type: asked }).markdown.readPart(line)
    if (part !== null) return { type: asked, ...part }
  }
  return null
}

/** Whether a line of our Markdown looks as if it should begin a part. */
export function isNearlyPart(line: string): boolean {
  return types.some((type) => formatsOf({ type }).markdown.isNearlyPart(line))
}

/** The fields of parts in our Markdown, for `judgeQuestion`. */
export function inputOfMarkdown(
  parts: readonly MarkdownPart[],
  type: QuestionType = DEFAULT_TYPE,
): Record<string, unknown> {
  return formatsOf({ type }).markdown.inputOf(parts)
}

export function markdownPartsOf(question: Question): ReturnType<OwnMarkdown<QuestionType>['partsOf']> {
  return formatsOf(question).markdown.partsOf(question)
}

export function markdownFactsOf(question: Question): (readonly [TypeFact, string])[] {
  return formatsOf(question).markdown.factsOf(question)
}

/** 'own': a field of our JSON means something in a question of this type. 'unused': only in one of another type. 'unknown': in none. */
export type FieldUse = 'own' | 'unused' | 'unknown'

/** The letters and the key beside the `body` of another type are for people who read the file, so they are used. */
export function useOfJsonField(name: string, type: QuestionType): FieldUse {
  if (isFactUnused(name, type)) return 'unused'
  return isTypeFact(name) || types.some((one) => formatsOf({ type: one }).json.isField(name)) ? 'own' : 'unknown'
}

/** The same for a field in `body`. */
export function useOfBodyField(name: string, type: QuestionType): FieldUse {
  const has = (one: QuestionType) => formatsOf({ type: one }).json.bodyFields.includes(name)
  if (has(type)) return 'own'
  return types.some(has) ? 'unused' : 'unknown'
}

/** The value of a field of our JSON with its Markdown texts changed. @param type what the question names as its type */
export function withJsonTexts(type: unknown, name: string, value: unknown, change: (text: string) => string): unknown {
  return formatsOf({ type: typeOfGiven(type) ?? DEFAULT_TYPE }).json.withTexts(name, value, change)
}
