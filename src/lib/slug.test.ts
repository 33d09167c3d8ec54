import { expect, test } from 'vitest'
import { courseSlug, examSlug, fallbackSlug, firstFree } from './slug.ts'

const now = new Date('2026-11-21T00:00:00Z')

test('a course slug has lower-case letters, digits and single hyphens', () => {
  expect(courseSlug('AWS Certified Solutions Architect - Associate', now)).toBe(
    'aws-certified-solutions-architect-associate',
  )
  expect(courseSlug('  Spaces   and -- hyphens  ', now)).toBe('spaces-and-hyphens')
  expect(courseSlug('C++ & Co.', now)).toBe('c-co')
})

test('an empty or numeric slug becomes item-{timestamp}, one that starts with a digit gets a prefix', () => {
  expect(courseSlug('!!!', now)).toBe(`item-${now.getTime()}`)
  expect(courseSlug('2026', now)).toBe(`item-${now.getTime()}`)
  expect(courseSlug('101 Ways', now)).toBe('item-101-ways')
})

test('the fallback slug follows a looser rule, and is course when nothing is left', () => {
  expect(fallbackSlug('AWS: The Basics')).toBe('aws-the-basics')
  expect(fallbackSlug('漢字')).toBe('course')
})

test('an exam keeps its slug, else gets one from its id, else from its title', () => {
  expect(examSlug({ slug: 'given', title: 'T' }, now)).toBe('given')
  expect(examSlug({ id: '0A8C9A52-1111-4222-8333-444444444444', title: 'T' }, now)).toBe('exam-0a8c9a52')
  expect(examSlug({ id: '7', title: 'Practice Exam' }, now)).toBe('practice-exam')
})

test('a slug that is taken gets a number from 2', () => {
  const taken = new Set(['a', 'a-2'])
  expect(firstFree('a', (slug) => taken.has(slug))).toBe('a-3')
  expect(firstFree('b', (slug) => taken.has(slug))).toBe('b')
})
