import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aDatabase } from '../../../../../tests/support/test-database.ts'
import { anyQuestionOf } from '../../any-question.fixture.ts'
import { choiceFingerprint } from './choice-fingerprint.ts'
import { choiceToSpecification } from './choice-letters.ts'
import type { ChoiceQuestion } from './choice.schema.ts'

const { pool } = await aDatabase()
const migration = readFileSync(join(import.meta.dirname, '../../../../db/migrations/0044_faster_prints.sql'), 'utf8')
await pool.query(migration.replace('function question_print(', 'function fingerprint_of_migration_0044('))

/** What the migration's function computes for a question in the fields that it was written for. */
async function computedInSql(questions: readonly ChoiceQuestion[]): Promise<string[]> {
  const { rows } = await pool.query<{ fingerprint: string }>(
    'select fingerprint_of_migration_0044(one) as fingerprint from jsonb_array_elements($1::jsonb) with ordinality as list (one, place) order by place',
    [JSON.stringify(questions.map(choiceToSpecification))],
  )
  return rows.map(({ fingerprint }) => fingerprint)
}

const question: ChoiceQuestion = {
  type: 'choice',
  id: 'q',
  stem: 'Which?',
  options: [
    { id: 'a', text: 'One', isRight: true },
    { id: 'b', text: 'Two', isRight: false },
  ],
  explanation: '',
  domain: '',
  needsReview: false,
  url: '',
  difficulty: '',
  suggestedOptionIds: [],
  mostVotedOptionIds: [],
}

/** Every character that some language takes for a blank, and some that only look like one. */
const BLANKS = [
  ...codesFrom(0x01, 0x20),
  0x7f,
  0x85,
  0xa0,
  0xad,
  0x1680,
  0x180e,
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x2060,
  0x3000,
  0x3164,
  0xfeff,
  0xfffd,
  ...codesFrom(0x2000, 0x200f),
].map((code) => String.fromCodePoint(code))

function codesFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}

test('each blank is evened as the migration evens it: alone, doubled, beside a space and at the edges', async () => {
  const texts = BLANKS.flatMap((blank) =>
    [blank, blank + blank, `${blank} `, ` ${blank}`, ` ${blank} `].map((inside) => `a${inside}b`),
  )
  const edges = BLANKS.flatMap((blank) => [`${blank}a`, `a${blank}`, ` ${blank} a ${blank} `])
  const questions = [...texts, ...edges].flatMap((text) => [
    { ...question, stem: text },
    { ...question, options: [...question.options, { id: 'c', text, isRight: false }] },
  ])
  expect(questions.map(choiceFingerprint)).toEqual(await computedInSql(questions))
})

test('options are put in the order of their code points', async () => {
  const first = ['\uffee', '\u{10000}', '\u{1f600}', 'z', 'Z', 'é', 'e\u0301', '\ud7ff', '\ue000', '=', '~', 'a', 'ab']
  const questions = first.flatMap((one) =>
    first
      .filter((other) => other !== one)
      .map((other) => ({
        ...question,
        options: [
          { id: 'a', text: one, isRight: true },
          { id: 'b', text: other, isRight: true },
          { id: 'c', text: `${one}${other}`, isRight: false },
          { id: 'd', text: `${one}a`, isRight: false },
        ],
      })),
  )
  expect(questions.map(choiceFingerprint)).toEqual(await computedInSql(questions))
})

const oddText = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...BLANKS, '  ', '   ', '\r\n', '\n\n'), weight: 3 },
      { arbitrary: fc.constantFrom('a', 'b', 'A', 'é', '\uffee', '\u{10000}', '\u{1f469}\u200d\u{1f680}'), weight: 3 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: 3 }), weight: 1 },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => text !== '')

/** A choice with odd blanks and characters in the place of some of its texts. When the migration was written, choices had six options at most, and no order. */
const anyOddChoice = fc
  .tuple(
    anyQuestionOf('choice').filter((question) => question.type === 'choice'),
    fc.array(fc.option(oddText), { minLength: 7, maxLength: 7 }),
  )
  .map(([{ order: _order, ...choice }, [stem, ...texts]]) => ({
    ...choice,
    stem: stem ?? choice.stem,
    options: choice.options.slice(0, 6).map((option, place) => ({ ...option, text: texts[place] ?? option.text })),
  }))

test('the fingerprint of any choice is the one that the migration computes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOddChoice, { minLength: 20, maxLength: 20 }), async (questions) => {
      expect(questions.map(choiceFingerprint)).toEqual(await computedInSql(questions))
    }),
    { numRuns: 15 },
  )
})
