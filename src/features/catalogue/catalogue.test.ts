import { expect, test } from 'vitest'
import {
  descriptionProblem,
  examAction,
  findCourses,
  judgePrice,
  readCourseSearch,
  readPage,
  SEARCH_MAX,
  storedDescription,
  titleProblem,
  writeCourseSearch,
} from './catalogue.ts'

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

test('an exam starts with access, can be tried as a free trial, and otherwise offers to buy or renew', () => {
  expect(examAction({ isFreeTrial: false }, 'running')).toBe('start')
  expect(examAction({ isFreeTrial: true }, 'none')).toBe('try')
  expect(examAction({ isFreeTrial: false }, 'none')).toBe('buy')
  expect(examAction({ isFreeTrial: false }, 'ended')).toBe('renew')
  expect(examAction({ isFreeTrial: true }, 'running')).toBe('start')
})

test('a search matches every word, the code and the level, ignoring case and accents', () => {
  const course = (title: string, category: 'associate' | 'professional', code: string) => ({
    title,
    category,
    code,
    description: 'Exámenes for learners',
  })
  const courses = [
    course('Solutions Architect', 'associate', 'SAA-C03'),
    course('Solutions Architect', 'professional', 'SAP-C02'),
    course('Developer', 'associate', 'DVA-C02'),
  ]
  const codes = (text: string, category: 'associate' | null = null) =>
    findCourses(courses, { text, category }).map(({ code }) => code)
  expect(codes('')).toEqual(['SAA-C03', 'SAP-C02', 'DVA-C02'])
  expect(codes('ARCHITECT  solutions')).toEqual(['SAA-C03', 'SAP-C02'])
  expect(codes('architect', 'associate')).toEqual(['SAA-C03'])
  expect(codes('professional')).toEqual(['SAP-C02'])
  expect(codes('dva-c02')).toEqual(['DVA-C02'])
  expect(codes('examenes')).toHaveLength(3)
  expect(codes('architect baker')).toEqual([])
  expect(codes('%_.*[(')).toEqual([])
})

test('a search is read from an address and written to it, and invalid values are ignored', () => {
  const read = (search: string) => readCourseSearch(new URLSearchParams(search))
  expect(read('')).toEqual({ text: '', category: null })
  expect(read('?q=%20%20&level=expert')).toEqual({ text: '', category: null })
  expect(read('?q=a&q=b&level=associate')).toEqual({ text: 'a', category: 'associate' })
  expect(read(`?q=${'é'.repeat(10_000)}`).text).toHaveLength(SEARCH_MAX)
  expect(writeCourseSearch({ text: '', category: null })).toBe('')
  expect(writeCourseSearch({ text: 'x', category: 'associate' }, 3)).toBe('?q=x&level=associate&page=3')
  const pages = ['', '1', '2', '17', '0', '-1', '2.5', '1e3', 'x', '07', '9999999', '٣']
  expect(pages.map((page) => readPage(new URLSearchParams({ page })))).toEqual([1, 1, 2, 17, 1, 1, 1, 1, 1, 1, 1, 1])
  for (const search of [
    { text: 'a & b = ü?', category: null },
    { text: '', category: 'specialty' },
    { text: 'x', category: 'associate' },
  ] as const)
    expect(read(writeCourseSearch(search))).toEqual(search)
})
