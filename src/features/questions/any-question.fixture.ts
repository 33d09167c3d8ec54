import { ANY_FIELDS } from './types/registered/registered-types.fixture.ts'
import type { Question } from './types/question-types.schema.ts'
import * as fc from 'fast-check'
import { judgeQuestion } from './questions.ts'

/** Lines that a reader of files could misread, and lines of any characters. */
const line = fc.oneof(
  fc.constantFrom(
    '',
    '   ',
    '\t',
    '- [ ] not an answer',
    '- [x] not an answer either',
    '* [X]',
    '- [] almost',
    '## not-a-key',
    '##',
    '### Explanation',
    '# A heading',
    '#### A heading that may stay',
    'domain: not a fact',
    'url:',
    'guide: 3',
    'verified_on: today',
    'needs_review: true',
    '\\## escaped before',
    '\\\\- [x] twice',
    '\\domain: once',
    ' \\```',
    '```',
    '```json',
    '   ```',
    '````',
    '~~~',
    '~~~ sh',
    '    indented code',
    '  - [x] a list below a list',
    '{#a1b2}',
    'text that ends like an id {#a1b2}',
    '---',
    '# ',
    'a line separator \u2028- [ ] in the middle',
    'trailing blanks  ',
    'Größe, 日本, 👩‍🚀',
    '| a | `b \\| c` | \\| |',
    '| --- | :-: | --: |',
    'one | two',
    '--- | :-',
    '<b>bold</b> &amp; \u0007',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\\', '`', '#', '-', ' ', '[', ']', 'x', '\t', '{', '}', 'a'), maxLength: 12 }),
)

const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')

/** Any text as somebody might paste it, not normalised yet. */
export const anyText = fc
  .array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.flat().join(''))

const anyLongText = fc
  .tuple(line, line, fc.integer({ min: 1, max: 400 }))
  .map(([a, b, times]) => `${a}\n${b} word\n`.repeat(times).slice(0, 20_000))

const anyKey = fc
  .tuple(
    fc.constantFrom('a', 'Z', '7'),
    fc.string({ unit: fc.constantFrom('a', 'B', '0', '.', '_', '-'), maxLength: 20 }),
  )
  .map((parts) => parts.join(''))

type Fields = fc.Arbitrary<Record<string, unknown>>

const anyCommonFields = (text: fc.Arbitrary<string>): Fields =>
  fc.record({
    id: anyKey,
    question: text,
    explanation: text,
    domain: fc.oneof(fc.constantFrom('', 'General', 'Security and Compliance'), fc.string({ unit: 'binary' })),
    needs_review: fc.boolean(),
    url: fc.oneof(fc.constant(''), fc.webUrl(), fc.string()),
    difficulty: fc.constantFrom('', 'easy', 'medium', 'hard'),
    verified_on: fc.constantFrom('', '2026-02-28', '2024-02-29'),
    guide: fc.oneof(fc.constantFrom('', 'CLF-C02 1.0', 'guide: 2'), fc.string({ unit: 'binary', maxLength: 60 })),
  })

/** What the bank accepts of these fields, as the bank stores it. */
const accepted = (common: Fields, ofType: Fields): fc.Arbitrary<Question> =>
  fc
    .tuple(common, ofType)
    .map(([fields, own]) => judgeQuestion({ ...fields, ...own }).question)
    .filter((question) => question !== undefined)

const anyTextOrLong = fc.oneof({ arbitrary: anyText, weight: 20 }, { arbitrary: anyLongText, weight: 1 })

/** Any question of a type. */
export const anyQuestionOf = (type: Question['type']) =>
  accepted(anyCommonFields(anyTextOrLong), ANY_FIELDS[type](anyText, anyKey))

/** Any question: each time of one of the types. */
export const anyQuestion: fc.Arbitrary<Question> = accepted(
  anyCommonFields(anyTextOrLong),
  fc.oneof(...Object.values(ANY_FIELDS).map((fieldsOf) => fieldsOf(anyText, anyKey))),
)

/** Words without any mark: what every format should carry. */
const anyWords = fc
  .array(fc.constantFrom('Amazon', 'stores', 'keys', 'two', 'of', 'regions', 'the', 'S3', 'Größe', 'cheap'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((words) => words.join(' '))

/** A question of a type whose texts are plain words, and whose facts every format has a place for. */
export const plainQuestionOf = (type: Question['type']) =>
  accepted(
    fc.record({ id: anyKey, question: anyWords, explanation: anyWords, domain: fc.constantFrom('General', 'Storage') }),
    ANY_FIELDS[type](anyWords, anyKey),
  )
