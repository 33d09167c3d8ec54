import { expect, test } from 'vitest'
import type { ImportView } from '../imports/imports.schema.ts'
import { firstDestination, proposedTitle } from './first-destination.ts'

const none = { open: 0, stored: 0, dismissed: 0 }
const nowhere = { course: null, exam: null }

function aFile(over: Partial<ImportView> = {}) {
  const counts = { good: { ...none, open: 3 }, 'needs-review': none, changed: none, there: none, refused: none }
  return { name: 'cloud-practitioner_2.gift', counts, courses: [], exams: [], storedAt: null, ...over }
}

test('a first import proposes a new course, in an empty catalogue and beside courses that the file does not name', () => {
  expect(firstDestination(aFile(), nowhere, false)).toBe('new-course')
  expect(firstDestination(aFile(), nowhere, true)).toBe('new-course')
})

test('a file with questions of the bank, or one that was stored before, is stored into an existing exam by default', () => {
  const { counts } = aFile()
  const held = aFile({ counts: { ...counts, there: { ...none, open: 1 } } })
  expect(firstDestination(held, nowhere, true)).toBe('exam')
  expect(firstDestination(aFile({ storedAt: '2026-01-01T00:00:00Z' }), nowhere, true)).toBe('exam')
  const changed = aFile({ counts: { ...counts, changed: { ...none, open: 1 } } })
  expect(firstDestination(changed, nowhere, true)).toBe('own-places')
})

test('a new course is titled by the exam in the file, or by the name of the file', () => {
  expect(proposedTitle(aFile())).toBe('Cloud practitioner 2')
  const exam = { file: 'a.md', facts: { title: 'Practice <b>Exam' }, questions: 3, course: null, caseStudies: [] }
  expect(proposedTitle(aFile({ exams: [exam] }))).toBe('Practice bExam')
})
