import { expect, test } from 'vitest'
import { beginEditor, isUnsaved, reduceEditor, type EditorAction, type EditorState } from './case-study-editor-state.ts'
import { emptyTab, withChangedTab, withoutTab, withTab, type CaseStudyForm } from './case-study-form.ts'

const after = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(reduceEditor, state)
const change = (update: (form: CaseStudyForm) => CaseStudyForm, at = 0, field: string | null = null): EditorAction => ({
  kind: 'change',
  update,
  field,
  at,
})
const titled = (title: string, at = 0) => change((form) => ({ ...form, title }), at, 'title')
const tabs = [
  { id: 't1', title: 'Situation', body: 'Letters arrive.' },
  { id: 't2', title: 'Exhibit', body: 'One table.' },
]
const stored = { caseStudy: { id: 'claims', title: 'Claims', tabs }, version: 7 }

test('a stored case study begins unchanged with its version, and a new one with an id and one tab', () => {
  expect(beginEditor(stored, 'unused')).toMatchObject({ saved: { id: 'claims' }, version: 7, isTouched: false })
  const begun = beginEditor(null, 'cs-1')
  expect(begun).toMatchObject({ history: { now: { id: 'cs-1', tabs: [{ title: '', body: '' }] } }, version: null })
  expect(isUnsaved(begun)).toBe(false)
})

test('typing in one field is one step, and a removed tab comes back by undo', () => {
  const typed = after(
    beginEditor(stored, ''),
    titled('C'),
    titled('Cl', 10),
    change((form) => withoutTab(form, 0), 20),
  )
  expect(typed.history.now).toMatchObject({ title: 'Cl', tabs: [{ id: 't2' }] })
  const undone = after(typed, { kind: 'undo' })
  expect(undone.history.now).toEqual({ id: 'claims', title: 'Cl', tabs })
  expect(after(undone, { kind: 'undo' }).history.now.title).toBe('Claims')
  expect(after(undone, { kind: 'redo' }).history.now.tabs).toHaveLength(1)
})

test('an image that arrives late goes into its tab and takes nothing else back; into a removed tab it does not go', () => {
  const arrival = change((form) => withChangedTab(form, 't2', { body: '![A plan](/p)' }))
  const moved = after(
    beginEditor(stored, ''),
    titled('Typed meanwhile'),
    change((form) => withTab(form, emptyTab('t3'), 0)),
  )
  const arrived = after(moved, arrival).history.now
  expect(arrived).toMatchObject({
    title: 'Typed meanwhile',
    tabs: [{ id: 't3' }, { id: 't1' }, { body: '![A plan](/p)' }],
  })
  const without = after(
    beginEditor(stored, ''),
    change((form) => withoutTab(form, 1)),
  )
  expect(after(without, arrival)).toBe(without)
})

test('what is typed while a save is under way stays unsaved, and is a change of the saved version', () => {
  const typed = after(beginEditor(stored, ''), titled('Sent'))
  const sent = typed.history.now
  const typedOn = after(typed, titled('Later', 5000), { kind: 'saved', form: sent, version: 8 })
  expect(typedOn).toMatchObject({ version: 8, history: { now: { title: 'Later' } } })
  expect(isUnsaved(typedOn)).toBe(true)
  expect(isUnsaved(after(typed, { kind: 'saved', form: sent, version: 8 }))).toBe(false)
})

test('text of an earlier visit names the version that it changed, so that saving it over a newer one asks first', () => {
  const left = { ...stored.caseStudy, title: 'Left' }
  const resume = (base: number | null) => after(beginEditor(stored, ''), { kind: 'resume', form: left, base, at: 0 })
  expect(resume(6)).toMatchObject({ version: 6, isTouched: true, history: { now: { title: 'Left' } } })
  expect(resume(null).version).toBe(7)
})

test('after a conflict the form shows the stored case study, or replaces it', () => {
  const mine = after(beginEditor(stored, ''), titled('Mine'))
  const theirs = { caseStudy: { ...stored.caseStudy, title: 'Theirs' }, version: 9 }
  const reloaded = after(mine, { kind: 'reload', stored: theirs })
  expect(reloaded).toMatchObject({ version: 9, history: { now: { title: 'Theirs' }, past: [] } })
  expect(isUnsaved(reloaded)).toBe(false)
  expect(after(mine, { kind: 'overwrite', version: 9 })).toMatchObject({
    version: 9,
    history: { now: { title: 'Mine' } },
  })
})
