import { EXAMPLES } from '../src/features/questions/types/examples.fixture.ts'
import { toSpecification, withTexts } from '../src/features/questions/types/content-registry.ts'
import type { Question } from '../src/features/questions/types/question-types.schema.ts'
import { judgeQuestion } from '../src/features/questions/questions.ts'
import { strToU8, zipSync } from 'fflate'
import { prepareFormat, writeBank } from '../src/features/questions/formats/bank.ts'
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ImportFormat,
  type SourceFile,
} from '../src/features/questions/formats/formats.schema.ts'

await prepareFormat('anki')

const made = new Map<string, SourceFile>()

/**
 * A bank of `count` questions in a format; several files become a zip. The questions of each format are different. Files are
 * cached, because writing ten thousand questions takes seconds.
 */
export function bankFile(format: ImportFormat, count: number): SourceFile {
  const name = `${format} ${count}`
  const file = made.get(name) ?? makeFile(format, count)
  made.set(name, file)
  return file
}

function makeFile(format: ImportFormat, count: number): SourceFile {
  const questions = Array.from({ length: count }, (_, number) => aQuestion(format, number))
  const exported = EXPORT_FORMATS.find((known) => known === format)
  return exported ? writtenBank(exported, questions) : packed(written[format]?.(questions) ?? [])
}

function writtenBank(format: ExportFormat, questions: Question[]): SourceFile {
  return packed(writeBank(format, [{ facts, courseTitle: 'A course', questions, images: new Map() }]).files)
}

/** As `bankFile`, with as many questions of each type. */
export function mixedBankFile(format: ExportFormat, count: number): SourceFile {
  const examples = Object.values(EXAMPLES)
  const questions = Array.from({ length: count }, (_, number) => {
    const example = examples[number % examples.length]!
    const { question, reasons } = judgeQuestion({
      ...example,
      id: `bench-mixed-${format}-${number}`,
      question: `${SITUATION.repeat(2)}\n\nCase ${number} of ${format}.\n\n${String(example['question'])}`,
      explanation: `${SITUATION.repeat(2)}Class ${number % 13} is \`durable\`; the others are **not**.`,
    })
    if (!question) throw new Error(`a question of the benchmark was refused: ${JSON.stringify(reasons)}`)
    // Parts differ from question to question, as in `aQuestion`; a picture and a text of several lines stay.
    return withTexts(question, (text) => (/^!\[|\n/.test(text) ? text : `${text}, case ${number}`))
  })
  return writtenBank(format, questions)
}

const facts = {
  title: 'Practice Exam 1',
  slug: 'practice-exam-1',
  order: 1,
  timeLimitMinutes: 90,
  passingScore: 70,
  isFreeTrial: false,
}

const SITUATION =
  'A company moves a web application with seasonal load to the cloud and must keep its data for seven years, encrypted at rest, with the least effort of operation. '

/** A question of about 1,300 characters, as in real practice exams. */
function aQuestion(format: ImportFormat, number: number): Question {
  const isRight = (place: number) => place === number % 4 || (number % 7 === 0 && place === (number + 1) % 4)
  const texts = letters.map(
    (_, place) =>
      `Answer ${place} of question ${number}: put the objects into a store of class ${(number * 7 + place) % 13} and turn on replication.`,
  )
  const { question } = judgeQuestion({
    id: `bench-${format}-${number}`,
    question: `${SITUATION.repeat(2)}\n\nWhich solution for case ${number} of ${format} meets the requirements?`,
    ...Object.fromEntries(texts.map((text, place) => [`answer_${'abcd'.charAt(place)}`, text])),
    answer_ids: { a: 'a0', b: 'a1', c: 'a2', d: 'a3' },
    final_answer: letters.filter((_, place) => isRight(place)).join(''),
    explanation: `${SITUATION.repeat(2)}Class ${number % 13} is \`durable\`; the others are **not**.`,
    domain: `Domain ${Math.floor(number / 2500)}`,
    difficulty: 'medium',
  })
  if (!question) throw new Error('a question of the benchmark was refused')
  return question
}

function packed(files: SourceFile[]): SourceFile {
  const [first] = files
  if (files.length === 1 && first) return first
  return { path: 'bank.zip', bytes: zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes]))) }
}

const letters = ['A', 'B', 'C', 'D']
const rightLetters = (question: Question) => [...toSpecification(question).final_answer]
/** The options with the letters and ids under which formats name them. */
function optionsOf(question: Question): { letter: string; id: string; text: string; isRight: boolean }[] {
  if (question.type !== 'choice') throw new Error('the bench writes choices')
  return question.options.map((option, place) => ({ letter: letters[place] ?? '', ...option }))
}
const line = (text: string) => text.replaceAll('\n', ' ')
const file = (path: string, text: string): SourceFile => ({ path, bytes: strToU8(text) })

const written: Partial<Record<ImportFormat, (questions: Question[]) => SourceFile[]>> = {
  csv: (questions) => [
    file(
      'bank.csv',
      [TABLE_HEADER, ...questions.map(tableRow)].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'),
    ),
  ],
  xlsx: (questions) => [workbook([TABLE_HEADER, ...questions.map(tableRow)])],
  'markdown-numbered': (questions) => [file('bank.md', questions.map(numbered).join('\n'))],
  'markdown-checked': (questions) => [
    file('bank.md', questions.map((question) => `### ${boxes(question)}`).join('\n')),
  ],
  'markdown-files': (questions) =>
    questions.map((question) =>
      file(`${question.id}.md`, `---\ndomain: ${question.domain}\n---\n\n${boxes(question)}`),
    ),
  aiken: (questions) => [
    file(
      'bank.txt',
      questions
        .map((question) => {
          const answers = optionsOf(question).map(({ letter, text }) => `${letter}. ${text}`)
          return [line(question.stem), ...answers, `ANSWER: ${rightLetters(question).join(',')}`, ''].join('\n')
        })
        .join('\n'),
    ),
  ],
  'qti-1': (questions) => [file('bank.xml', `<questestinterop>${questions.map(oldItem).join('\n')}</questestinterop>`)],
  'qti-2': (questions) => questions.map((question) => file(`items/${question.id}.xml`, newItem(question))),
  'voted-json': (questions) => [
    file(
      'bank.json',
      JSON.stringify(
        questions.map((question) => ({
          question: question.stem,
          options: Object.fromEntries(optionsOf(question).map(({ letter, text }) => [letter, text])),
          suggested_answer: rightLetters(question).join(''),
          most_voted_answer: rightLetters(question).join(''),
          explanation: question.explanation,
        })),
        null,
        1,
      ),
    ),
  ],
}

const TABLE_HEADER = [
  'Question',
  'Option A',
  'Option B',
  'Option C',
  'Option D',
  'Correct Answer',
  'Explanation',
  'Topic',
]

function tableRow(question: Question): string[] {
  const answers = optionsOf(question).map(({ text }) => text)
  return [question.stem, ...answers, rightLetters(question).join(','), question.explanation, question.domain]
}

function numbered(question: Question, number: number): string {
  const answers = optionsOf(question).map(({ letter, text }) => `   - ${letter}. ${text}`)
  return [
    `${number + 1}. ${line(question.stem)}`,
    ...answers,
    '',
    '   <details markdown=1><summary markdown="span">Answer</summary>',
    `   Correct answer: ${rightLetters(question).join(', ')}`,
    '',
    `   ${question.explanation}`,
    '   </details>',
    '',
  ].join('\n')
}

function boxes(question: Question): string {
  const answers = optionsOf(question).map(({ text, isRight }) => `- [${isRight ? 'x' : ' '}] ${text}`)
  return [line(question.stem), '', ...answers, '', question.explanation, ''].join('\n')
}

function oldItem(question: Question): string {
  const labels = optionsOf(question).map(
    ({ id, text }) => `<response_label ident="${id}"><material><mattext>${text}</mattext></material></response_label>`,
  )
  const right = optionsOf(question).flatMap(({ id, isRight }) =>
    isRight ? [`<varequal respident="r">${id}</varequal>`] : [],
  )
  return [
    `<item ident="${question.id}"><presentation><material><mattext>${question.stem}</mattext></material>`,
    `<response_lid ident="r"><render_choice>${labels.join('')}</render_choice></response_lid></presentation>`,
    `<resprocessing><respcondition><conditionvar><and>${right.join('')}</and></conditionvar><setvar>100</setvar></respcondition></resprocessing>`,
    `<itemfeedback ident="general"><material><mattext>${question.explanation}</mattext></material></itemfeedback></item>`,
  ].join('\n')
}

function newItem(question: Question): string {
  const choices = optionsOf(question).map(({ id, text }) => `<simpleChoice identifier="${id}">${text}</simpleChoice>`)
  const right = optionsOf(question).flatMap(({ id, isRight }) => (isRight ? [`<value>${id}</value>`] : []))
  return [
    `<assessmentItem identifier="${question.id}"><responseDeclaration identifier="R" cardinality="multiple" baseType="identifier"><correctResponse>${right.join('')}</correctResponse></responseDeclaration>`,
    `<itemBody><p>${question.stem}</p><choiceInteraction responseIdentifier="R" maxChoices="0">${choices.join('')}</choiceInteraction></itemBody>`,
    `<modalFeedback outcomeIdentifier="F" identifier="f">${question.explanation}</modalFeedback></assessmentItem>`,
  ].join('\n')
}

function workbook(rows: string[][]): SourceFile {
  const cells = rows.map((row, at) => {
    const inside = row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
    return `<row r="${at + 1}">${inside}</row>`
  })
  const parts: Record<string, string> = {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Bank" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('\n')}</sheetData></worksheet>`,
  }
  return {
    path: 'bank.xlsx',
    bytes: zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)]))),
  }
}
