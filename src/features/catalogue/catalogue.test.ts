import { expect, test } from 'vitest'
import { examAction, findCourses, readCourseSearch, readPage, SEARCH_MAX, writeCourseSearch } from './catalogue.ts'

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
