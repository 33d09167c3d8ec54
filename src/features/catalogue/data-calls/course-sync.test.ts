import { expect, test } from 'vitest'
import {
  afterOutcome,
  failureToastOf,
  storedSentence,
  nextToSend,
  outcomeOf,
  retryDelay,
  whenChosen,
  whenSent,
  withEdit,
  withoutSaved,
} from './course-sync.ts'
import type { CourseFields, Edit, NewEdit, Outbox } from './course-sync.schema.ts'

const whole: CourseFields = {
  title: 'Old',
  description: 'No description',
  price: 5,
  category: null,
  image_url: '',
  status: 'draft',
}
const row = { rowId: 'c1', courseId: 'c1', title: 'Old', base: 1 }
const renamed = (title: string): NewEdit => ({ ...row, kind: 'course.update', fields: { title }, whole })
const added: NewEdit = { ...row, kind: 'course.insert', base: null, fields: whole }

let made = 0
const grown = (...edits: NewEdit[]) =>
  edits.reduce<Outbox>((all, edit) => withEdit(all, edit, { id: `e${(made += 1)}`, by: 'ada', at: made }), [])
const first = (outbox: Outbox) => outbox[0] as Edit
const refusal = { status: 409, code: 'row.changed-elsewhere', message: 'changed' }

test('pending edits of a row are merged, except one that may be sent already', () => {
  const waiting = grown(renamed('A'), { ...row, kind: 'course.update', fields: { price: 9 }, whole })
  expect(waiting).toMatchObject([{ fields: { title: 'A', price: 9 }, base: 1 }])
  const sent = whenSent(waiting, first(waiting).id)
  const after = withEdit(sent, renamed('B'), { id: 'later', by: 'ada', at: 99 })
  expect(after).toMatchObject([{ isSent: true }, { base: null, fields: { title: 'B' } }])
})

test('an edit waits for the previous edit of its row, and uses the version that it produced', () => {
  const outbox = whenSent(grown(renamed('A')), `e${made}`)
  const both = withEdit(outbox, renamed('B'), { id: 'b', by: 'ada', at: 99 })
  expect(nextToSend(both, 'ada')).toMatchObject({ fields: { title: 'A' } })
  const through = afterOutcome(both, first(both).id, { kind: 'saved', version: 2 }, 100)
  expect(nextToSend(through, 'ada')).toMatchObject({ fields: { title: 'B' }, base: 2 })
  expect(nextToSend(through, 'ben')).toBeNull()
})

test('an exam waits for its course, and the deletion of a course waits for its exams', () => {
  const fields = { test_name: 'E', passing_score: 70, time_limit: 60, is_free_trial: false, questions: [] }
  const exam: NewEdit = { kind: 'exam.insert', rowId: 'x1', courseId: 'c1', title: 'E', base: null, fields }
  const outbox = grown(added, exam)
  const refused = afterOutcome(outbox, first(outbox).id, { kind: 'refused', sentence: 'no' }, 1)
  expect(nextToSend(refused, 'ada')).toBeNull()
  expect(nextToSend(grown(exam, { ...row, kind: 'course.delete' }), 'ada')).toMatchObject({ rowId: 'x1' })
})

test('a lost reply does not cause a conflict with the same edit', () => {
  const outbox = grown(renamed(' New '))
  const stored = { version: 2, course: { ...whole, title: 'New' } }
  const sent = { ...first(outbox), isSent: true }
  expect(outcomeOf(sent, { ...refusal, stored })).toEqual({ kind: 'saved', version: 2 })
  const theirs = { version: 2, course: { ...whole, title: 'Theirs' } }
  expect(outcomeOf(sent, { ...refusal, stored: theirs })).toEqual({ kind: 'conflict', stored: theirs })
})

test("keeping one's own version replaces the stored one, and creates a deleted course again", () => {
  const outbox = grown(renamed('Mine'))
  const { id } = first(outbox)
  const contested = afterOutcome(outbox, id, { kind: 'conflict', stored: { version: 7, course: whole } }, 1)
  expect(whenChosen(contested, id, 'mine')).toMatchObject([{ base: 7, syncProblem: null }])
  expect(whenChosen(contested, id, 'theirs')).toEqual([])
  const gone = afterOutcome(outbox, id, { kind: 'conflict', stored: null }, 1)
  expect(whenChosen(gone, id, 'mine')).toMatchObject([{ kind: 'course.insert', fields: whole }])
})

test('an unreachable server, an overloaded one and an ended session lose no edit', () => {
  const outbox = grown(renamed('A'))
  const edit = first(outbox)
  for (const status of [0, 429, 500, 503]) {
    const outcome = outcomeOf(edit, { status, code: 'NETWORK_ERROR', message: '', stored: null })
    expect(outcome).toEqual({ kind: 'unreachable', isOffline: false })
    expect(afterOutcome(outbox, edit.id, outcome, 1)).toEqual(outbox)
  }
  for (const status of [403, 404, 413]) {
    const ofProxy = outcomeOf(edit, { status, code: 'reply.foreign', message: '', stored: null })
    expect(ofProxy).toEqual({ kind: 'unreachable', isOffline: false })
  }
  const ended = outcomeOf(edit, { status: 401, code: 'session.required', message: '', stored: null })
  expect(afterOutcome(outbox, edit.id, ended, 1)).toEqual(outbox)
})

test("a saved edit is shown until the server's list is loaded again", () => {
  const outbox = grown(renamed('A'))
  const saved = afterOutcome(outbox, first(outbox).id, { kind: 'saved', version: 2 }, 100)
  expect(withoutSaved(saved, 100)).toEqual(saved)
  expect(withoutSaved(saved, 101)).toEqual([])
})

test('there are three retries, after one, two and four seconds', () => {
  expect([1, 2, 3, 4].map(retryDelay)).toEqual([1000, 2000, 4000, null])
})

test("stored and failed edits are reported with the specification's messages", () => {
  expect(storedSentence(first(grown(added)))).toBe('Course saved locally but may not sync to cloud storage')
  expect(storedSentence(first(grown(renamed('A'))))).toBe('Course updated locally but may not sync to cloud storage')
  expect(failureToastOf({ kind: 'course.insert' }, 'why')).toEqual(['Failed to add course', 'why'])
  expect(failureToastOf({ kind: 'exam.draft', fields: { questions: [] } }, 'why')).toEqual([
    'Failed to replace exam questions: why',
    '',
  ])
})
