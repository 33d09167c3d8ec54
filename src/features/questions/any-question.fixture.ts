import * as fc from 'fast-check'
import { judgeQuestion } from './questions.ts'
import { LETTERS, type Question } from './questions.schema.ts'

/** Lines that a reader of files could take for something else, and lines of any characters. */
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

/** Any text, as someone might paste it: not yet in the form in which the bank holds texts. */
export const anyText = fc
  .array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.flat().join(''))

const anyLongText = fc
  .tuple(line, line, fc.integer({ min: 1, max: 400 }))
  .map(([a, b, times]) => `${a}\n${b} word\n`.repeat(times).slice(0, 20_000))

const anyOptions = fc.array(
  fc.tuple(
    fc.oneof({ arbitrary: anyText, weight: 5 }, { arbitrary: fc.constantFrom('Same', 'Amazon S3'), weight: 1 }),
    fc.boolean(),
  ),
  {
    minLength: 2,
    maxLength: 6,
  },
)

const anyKey = fc
  .tuple(
    fc.constantFrom('a', 'Z', '7'),
    fc.string({ unit: fc.constantFrom('a', 'B', '0', '.', '_', '-'), maxLength: 20 }),
  )
  .map((parts) => parts.join(''))

/** Every question that the bank accepts can come out of this, in the form in which the bank holds it. */
export const anyQuestion: fc.Arbitrary<Question> = fc
  .record({
    id: anyKey,
    question: fc.oneof({ arbitrary: anyText, weight: 20 }, { arbitrary: anyLongText, weight: 1 }),
    answers: anyOptions,
    ids: fc.array(fc.option(anyKey, { freq: 1 }), { minLength: 6, maxLength: 6 }),
    explanation: fc.oneof({ arbitrary: anyText, weight: 20 }, { arbitrary: anyLongText, weight: 1 }),
    domain: fc.oneof(fc.constantFrom('', 'General', 'Security and Compliance'), fc.string({ unit: 'binary' })),
    needs_review: fc.boolean(),
    url: fc.oneof(fc.constant(''), fc.webUrl(), fc.string()),
    difficulty: fc.constantFrom('', 'easy', 'medium', 'hard'),
    suggested: fc.subarray([...LETTERS]),
    mostVoted: fc.subarray([...LETTERS]),
  })
  .map(({ answers, ids, suggested, mostVoted, ...input }) => ({
    ...input,
    ...Object.fromEntries(answers.map(([text], place) => [`answer_${LETTERS[place]}`, text])),
    answer_ids: Object.fromEntries(answers.flatMap((_, place) => (ids[place] ? [[LETTERS[place], ids[place]]] : []))),
    final_answer: answers.flatMap(([, isRight], place) => (isRight ? [LETTERS[place]] : [])).join(''),
    suggested_answer: suggested.filter((letter) => LETTERS.indexOf(letter) < answers.length).join(''),
    most_voted_answer: mostVoted.filter((letter) => LETTERS.indexOf(letter) < answers.length).join(''),
  }))
  .map((input) => judgeQuestion(input).question)
  .filter((question) => question !== undefined)
