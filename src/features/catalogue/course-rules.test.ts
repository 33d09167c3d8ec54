import { expect, test } from 'vitest'
import { descriptionProblem, judgePrice, storedDescription, titleProblem } from './course-rules.ts'

test('a title is required, shorter than 200 characters and free of < and >', () => {
  expect(titleProblem('   ')).toBe('Course title is required')
  expect(titleProblem('x'.repeat(199))).toBeNull()
  expect(titleProblem('x'.repeat(200))).toBe('Course title must be less than 200 characters')
  expect(titleProblem('a < b')).toBe('Course title contains invalid characters')
  expect(titleProblem('Größe & Co. "quoted"')).toBeNull()
})

test('a description is shorter than 2000 characters and never empty once stored', () => {
  expect(descriptionProblem('x'.repeat(1999))).toBeNull()
  expect(descriptionProblem('x'.repeat(2000))).toBe('Course description must be less than 2000 characters')
  expect(storedDescription('  ')).toBe('No description')
  expect(storedDescription(' a ')).toBe('a')
})

test('a price is between 0 and 9999.99 and rounded to two decimals', () => {
  expect(judgePrice(-0.01)).toEqual({ kind: 'refused', sentence: 'Price cannot be negative' })
  expect(judgePrice(0)).toEqual({ kind: 'price', priceCents: 0 })
  expect(judgePrice('19.999')).toEqual({ kind: 'price', priceCents: 2000 })
  expect(judgePrice(9999.99)).toEqual({ kind: 'price', priceCents: 999_999 })
  expect(judgePrice(10_000)).toEqual({ kind: 'refused', sentence: 'Price cannot exceed $9,999.99' })
  for (const value of ['', 'abc', '1e3', NaN, '1,000']) expect(judgePrice(value).kind).toBe('refused')
})
