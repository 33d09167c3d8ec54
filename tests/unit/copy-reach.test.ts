import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/platform/root.server.ts'

const stored =
  'the local store of courses: proven in catalogue/sync and by sync.spec.ts as far as its failures can be made'
const database = 'what the database refuses is told before, by the form: the mapping is proven in platform/causes'
const thrown = 'thrown to code, not to people: proven where it is thrown'

/** Sentences that no browser test meets, and why. */
const unmetBecause: Record<string, string> = {
  'home.empty.title': 'the demo always has courses',
  'home.empty.hint': 'the demo always has courses',
  'auth.failed': 'every failure of ours has a better text',
  'course.description.default': 'proven with the calls of courses, which save it',
  'checkout.empty.title': 'an empty cart has no button to press; its text is met as the reply to the call',
  'checkout.failed.text': 'every failure of the checkout has a message',
  'checkout.nourl': 'the gateway always gives an address',
  'feedback.required': 'the button is disabled while the text is empty; proven with the call',
  'db.23505': database,
  'db.23503': database,
  'db.other': database,
  'toast.title.validation': 'forms say it at the field; proven in platform/causes',
  'toast.title.database': 'proven in platform/causes',
  'courses.loaded.title': stored,
  'sync.course.deleted': stored,
  'sync.exam.added': stored,
  'courses.add.failed': stored,
  'courses.update.failed': stored,
  'courses.delete.failed': stored,
  'exams.add.failed': stored,
  'exams.update.failed': stored,
  'exams.remove.failed': stored,
  'exams.replace.failed': stored,
  'thrown.exam': thrown,
  'thrown.course.id': thrown,
  'thrown.exam.id': thrown,
  'thrown.auth': thrown,
  'question.domain.default': 'every question of the demo has its domain',
}

const specs = readdirSync(join(projectRoot, 'tests/e2e'))
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => readFileSync(join(projectRoot, 'tests/e2e', name), 'utf8').replaceAll('\\', ''))

test('every sentence of the sheet is met by a browser test, or it is said why a person does not meet it', () => {
  const [, ...lines] = readFileSync(join(projectRoot, 'docs/spec/copy.tsv'), 'utf8').trimEnd().split('\n')
  const sheet = lines.map((line) => line.split('\t')).map(([key = '', , text = '']) => ({ key, text }))
  const unmet = sheet.filter(({ text }) => !specs.some((spec) => sentence(text).test(spec))).map(({ key }) => key)
  expect(unmet.filter((key) => !(key in unmetBecause))).toEqual([])
  const keys = new Set(sheet.map(({ key }) => key))
  expect(Object.keys(unmetBecause).filter((key) => !keys.has(key))).toEqual([])
})

/** As a test may write it: where the sheet has '{n}', anything short. */
function sentence(text: string): RegExp {
  const pieces = text.split(/\{\w+\}/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(pieces.join('.{0,60}?'))
}
