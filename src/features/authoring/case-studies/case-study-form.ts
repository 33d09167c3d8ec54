import { z } from 'zod'
import { MAX_TABS, type CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import type { CaseStudyEdit } from './draft-case-studies.schema.ts'

/** A case study in its form. Its id is chosen here: sent again after a lost reply or a closed page, it is added once. */
export const CaseStudyForm = z.object({
  id: z.string(),
  title: z.string(),
  tabs: z.array(z.object({ id: z.string(), title: z.string(), body: z.string() })),
})
export type CaseStudyForm = z.infer<typeof CaseStudyForm>
export type TabForm = CaseStudyForm['tabs'][number]

export const toCaseStudyForm = ({ id, title, tabs }: CaseStudy): CaseStudyForm => ({
  id,
  title,
  tabs: tabs.map((tab) => ({ id: tab.id, title: tab.title, body: tab.body })),
})

export const toCaseStudyEdit = ({ title, tabs }: CaseStudyForm): CaseStudyEdit => ({ title, tabs })

export const emptyTab = (id: string): TabForm => ({ id, title: '', body: '' })

/** Unchanged where the form has as many tabs as a case study may have. */
export function withTab(form: CaseStudyForm, tab: TabForm, place = form.tabs.length): CaseStudyForm {
  return form.tabs.length >= MAX_TABS ? form : { ...form, tabs: form.tabs.toSpliced(place, 0, tab) }
}

export function withoutTab(form: CaseStudyForm, place: number): CaseStudyForm {
  return { ...form, tabs: form.tabs.toSpliced(place, 1) }
}

/** Unchanged at the ends of the list. */
export function withMovedTab(form: CaseStudyForm, place: number, by: 1 | -1): CaseStudyForm {
  const tab = form.tabs[place]
  const to = place + by
  if (tab === undefined || to < 0 || to >= form.tabs.length) return form
  return { ...form, tabs: form.tabs.toSpliced(place, 1).toSpliced(to, 0, tab) }
}

/** Unchanged where the tab has been removed. */
export function withChangedTab(form: CaseStudyForm, id: string, changed: Partial<TabForm>): CaseStudyForm {
  if (form.tabs.every((tab) => tab.id !== id)) return form
  return { ...form, tabs: form.tabs.map((tab) => (tab.id === id ? { ...tab, ...changed } : tab)) }
}
