import { expect, test } from 'vitest'
import { emptyBlueprint, readFacts, toFactsTyped, type FactsTyped } from './course-facts-form.ts'

const typed: FactsTyped = {
  title: ' A course ',
  description: 'What it is.',
  price: '19.9',
  category: 'associate',
  slug: 'a-course',
  blueprint: {
    code: 'SAA-C03',
    minutes: '130',
    questions: '65',
    passingScore: '720',
    source: 'https://example.com/guide',
    guide: 'SAA-C03 1.1',
    curve: [[72, 720]],
    domains: [
      { name: 'Design', weight: '60' },
      { name: 'Cost', weight: '40' },
      { name: '', weight: '' },
    ],
  },
}

test('a valid form is read, and the course fills the form with the same text', () => {
  const { fields, problems } = readFacts(typed)
  expect(problems).toEqual({})
  expect(fields).toMatchObject({
    title: 'A course',
    price: '19.90',
    blueprint: { minutes: 130, questions: 65, curve: [[72, 720]] },
  })
  const view = {
    ...fields,
    id: 'x',
    imageUrl: '',
    priceCents: 1990,
    status: 'draft' as const,
    rowVersion: 1,
    updatedAt: '',
  }
  expect(readFacts(toFactsTyped(view)).fields).toEqual(fields)
})

test('a blueprint is optional, and an incomplete one has a problem for each field', () => {
  expect(readFacts({ ...typed, blueprint: emptyBlueprint })).toMatchObject({
    problems: {},
    fields: { blueprint: null },
  })
  const half = { ...emptyBlueprint, code: 'X-1', domains: [{ name: 'One', weight: '30' }] }
  const { problems } = readFacts({ ...typed, title: '', price: '-1', slug: 'No Good', blueprint: half })
  expect(Object.keys(problems).sort()).toEqual(
    ['title', 'price', 'slug', 'minutes', 'questions', 'passingScore', 'source', 'domains'].sort(),
  )
  expect(problems['domains']).toBe('The weights of the domains must sum to 100%. Now it is 30%.')
  expect(problems['price']).toBe('Price cannot be negative')
})
