import { caseStudySentences } from '../case-studies/case-study.copy.ts'
import type { FileCode, ImportFormat } from './formats.schema.ts'
import type { LostCode, LostPart } from './lost-parts.schema.ts'

const fileSentences = {
  'file-unreadable': (about) => `The file could not be read: ${about}`,
  'course-file-missing': () => 'The folder has no course.md.',
  'folder-name': (about) => `"${about}" can't be the slug of a course: lower-case letters, digits and single hyphens.`,
  'head-missing': () => 'The file does not begin with a head: facts between two lines "---".',
  'head-broken': (about) => `The head is not valid YAML: ${about}`,
  'field-missing': (about) => `The head has no "${about}".`,
  'field-wrong': (about) => `The head's ${about}`,
  'field-unknown': (about) => `The head's "${about}" means nothing here; is it misspelt?`,
  'text-before-questions': (about) => `This text stands before the first question and belongs to none: ${about}`,
  'no-questions': () => 'The exam has no questions.',
  'format-unknown': () =>
    'This is none of the formats that can be read; choose the format yourself if you know which one it is.',
  'encoding-taken': (about) => `The file is not UTF-8; it was read as ${about}.`,
  'archive-refused': (about) => `The archive was not opened: ${about}`,
  'entry-refused': (about) => `This file of the archive was not read: ${about}`,
  'files-left-aside': (about) => `Nothing was read from ${about}.`,
  'entities-left-aside': () => 'The file declares a DOCTYPE; the entities in it are not followed.',
  'text-outside-questions': (about) => `This text belongs to no question and was left out: ${about}`,
  'column-missing': (about) => `The table has no column for ${about}; say which one it is.`,
  'columns-too-many': (about) => `The table has ${about} columns; only the first 500 were looked at.`,
  'picture-refused': (about) => `The picture was refused: ${about}.`,
  'picture-unused': () => 'No text shows this picture.',
  'sheet-name': (about) => `A study sheet is called by its place and its domain: ${about}.`,
  'sheet-domain': (about) => `The blueprint of the course has no domain "${about}", or another sheet has it.`,
  'sheet-sections': (about) =>
    `The sections of a study sheet are not the five of its form in their order: ${about || 'there is none'}.`,
  'sheet-source': (about) => `This source is a landing page: ${about}`,
  'sheet-words': (about) => `The study sheet has ${about} words; 600 to 1,100 fit on two pages.`,
  'sheet-missing': (about) => `The domain "${about}" has no study sheet, although others of this course have one.`,
  'clozes-apart': (about) => `Read as case studies, with a question for each gap: ${about}.`,
  ...caseStudySentences,
} satisfies Record<FileCode, (about: string) => string>

/** The sentence of a finding. */
export function wordFinding(code: FileCode, [about = '']: readonly string[]): string {
  return fileSentences[code](about)
}

/** The signs by which a format was recognized. */
export const formatSigns: Record<ImportFormat, string> = {
  markdown: 'the head of an exam and questions that begin with "## key"',
  json: 'JSON with questions that have a key and a final_answer',
  'udemy-csv': 'a table with the columns "Answer Option 1" and "Correct Answers"',
  csv: 'a table with a header row',
  xlsx: 'a workbook',
  'markdown-numbered': 'Markdown with numbered questions and lines "Correct answer: …"',
  'markdown-checked': 'Markdown with questions as headings and answers with checkboxes',
  'markdown-files': 'Markdown with one question a file',
  gift: 'GIFT: answers in braces, marked with = and ~',
  aiken: 'Aiken: lettered answers and lines "ANSWER: …"',
  'moodle-xml': 'XML with the element <quiz>',
  'qti-1': 'XML with the element <questestinterop>',
  'qti-2': 'XML with the element <assessmentItem>',
  'qti-3': 'XML with the element <qti-assessment-item>',
  'voted-json': 'JSON with questions that have a suggested or most voted answer',
  anki: 'a collection of Anki, or a text with lines such as "#separator:tab"',
}

const lostSentences = {
  field: (name: string) => `The field "${name}" is not kept.`,
  column: (name: string) => `The column "${name}" is not kept.`,
  name: (name: string) => `The name "${name}" is not kept.`,
  tag: (name: string) => `The tag "${name}" is not kept.`,
  script: () => 'A script in its text was taken out.',
  markup: (tag: string) => `The element <${tag}> in its text was taken out.`,
  table: () => 'A table in its text was read as lines.',
  link: () => 'A link back to the top of the page was taken out.',
  credit: () => 'Partial credit is not kept: a question is right or wrong as a whole.',
  weights: () => 'That its gaps count differently is not kept: each is a question that counts once.',
  shuffle: () => 'That its answers stay in their order is not kept.',
  card: () => 'Its card was changed in Anki; the question was read as it was exported.',
} satisfies Record<LostCode, (name: string) => string>

/** The sentence of a part that the bank cannot hold. */
export function wordLost({ code, facts: [name = ''] }: LostPart): string {
  return lostSentences[code](name)
}

/** What a format cannot hold: it does not come back when the format is read. In the order in which losses are listed. */
export const lossSentences = {
  whole: 'It does not come back as a question.',
  repeat: 'It says the same as an earlier question, and would be taken for a repeat.',
  stem: 'Its text comes back changed.',
  answers: 'Its answers come back changed.',
  order: 'The order in which its answers are shown is not carried.',
  reuse: 'Whether an option may be used often is not carried.',
  explanation: 'Its explanation comes back changed.',
  domain: 'Its domain is not carried.',
  difficulty: 'Its difficulty is not carried.',
  url: 'Its reference link is not carried.',
  verified: 'When it was verified, and against which exam guide, is not carried.',
  needsReview: 'That it needs review is not carried.',
  suggested: 'The suggested answer is not carried.',
  mostVoted: 'The most voted answer is not carried.',
  caseStudy: 'The case study that it belongs to is not carried.',
  images: 'Its pictures are not carried; the text keeps their addresses.',
  caseStudies: 'Its case studies are not carried.',
  someCaseStudies: 'Some of its case studies are not carried.',
  caseStudyTexts: 'A text of a case study is not carried exactly.',
  keys: 'The keys of its questions and the ids of their answers are not carried.',
  optionIds:
    'The ids of the answers are not carried. The keys of its questions are their names; an import gives new keys.',
  factsButTime: 'Its passing score, place in the course and free trial are not carried.',
  facts: 'Its time limit, passing score, place in the course and free trial are not carried.',
} as const
export type LossKind = keyof typeof lossSentences
