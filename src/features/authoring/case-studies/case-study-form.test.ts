import { expect, test } from 'vitest'
import { emptyTab, withMovedTab, withoutTab, withTab, type CaseStudyForm } from './case-study-form.ts'

const formOf = (...ids: string[]): CaseStudyForm => ({ id: 'c', title: 'A case', tabs: ids.map(emptyTab) })
const idsOf = ({ tabs }: CaseStudyForm) => tabs.map(({ id }) => id)

test('a tab moves by one place, and at the ends of the list it stays', () => {
  const form = formOf('a', 'b', 'c')
  expect(idsOf(withMovedTab(form, 0, 1))).toEqual(['b', 'a', 'c'])
  expect(idsOf(withMovedTab(form, 2, -1))).toEqual(['a', 'c', 'b'])
  expect(withMovedTab(form, 0, -1)).toBe(form)
  expect(withMovedTab(form, 2, 1)).toBe(form)
})

test('a tab that was removed is put back at its place, and a ninth is not added', () => {
  const form = formOf('a', 'b', 'c')
  expect(idsOf(withTab(withoutTab(form, 1), emptyTab('b'), 1))).toEqual(['a', 'b', 'c'])
  const full = formOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  expect(withTab(full, emptyTab('i'))).toBe(full)
})
