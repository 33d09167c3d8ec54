import { expect, test } from 'vitest'
import { isLikeRealExam, splitDescription } from './course-summary.ts'

test('an exam is like the real one if both its questions and its minutes are', () => {
  const blueprint = { questions: 65, minutes: 90 }
  expect(isLikeRealExam({ questionCount: 65, timeLimitMinutes: 90 }, blueprint)).toBe(true)
  expect(isLikeRealExam({ questionCount: 64, timeLimitMinutes: 90 }, blueprint)).toBe(false)
  expect(isLikeRealExam({ questionCount: 65, timeLimitMinutes: 60 }, blueprint)).toBe(false)
  expect(isLikeRealExam({ questionCount: 65, timeLimitMinutes: 90 }, null)).toBe(false)
})

test('a description says for whom a course is and what to know before, where its author marked it', () => {
  const text = 'Two exams.\n\nWho it is for: students.\n\nEach is explained.\n\nWhat to know before: nothing.'
  expect(splitDescription(text)).toEqual({
    about: ['Two exams.', 'Each is explained.'],
    audience: 'Students.',
    before: 'Nothing.',
  })
  expect(splitDescription('Only this.')).toEqual({ about: ['Only this.'], audience: null, before: null })
})
