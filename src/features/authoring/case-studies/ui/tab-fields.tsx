import { useEffect, useRef, useState, type RefObject } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { DownIcon, PlusIcon, TrashIcon, UpIcon } from '../../../../ui/icons.tsx'
import { MAX_TABS } from '../../../questions/case-studies/case-study.schema.ts'
import { copy as draftsCopy } from '../../drafts/drafts.copy.ts'
import { TextWithImages } from '../../editor/ui/text-with-images.tsx'
import {
  emptyTab,
  withChangedTab,
  withMovedTab,
  withoutTab,
  withTab,
  type CaseStudyForm,
  type TabForm,
} from '../case-study-form.ts'
import { copy } from '../draft-case-studies.copy.ts'

type Removed = { readonly tab: TabForm; readonly place: number }

/** Changes the form as it is by then: an image may arrive after further typing. `field` names a field that is typed in. */
type Change = (update: (form: CaseStudyForm) => CaseStudyForm, field?: string | null) => void

/** Adds, moves, removes and restores tabs of the form, with the focus where the author goes on. */
export function useTabs(form: CaseStudyForm, change: Change, section: RefObject<HTMLElement | null>) {
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const focusLater = useLaterFocus(section)
  return {
    /** The tab that was removed last, until it is back. */
    removed: removed !== null && form.tabs.some(({ id }) => id === removed.tab.id) ? null : removed,
    announcement,
    add() {
      if (form.tabs.length >= MAX_TABS) return
      const tab = emptyTab(`t-${crypto.randomUUID().slice(0, 8)}`)
      focusLater(nameOf(tab))
      change((now) => withTab(now, tab))
    },
    move(place: number, by: 1 | -1, from: 'button' | 'input' | 'textarea') {
      const tab = form.tabs[place]
      if (tab === undefined || withMovedTab(form, place, by) === form) return
      const name = tab.title || copy['editor.tab.unnamed']
      setAnnouncement(fill(copy['editor.tab.moved'], { name, n: place + by + 1, total: form.tabs.length }))
      // At the end of the list the button is off; the other one of the tab takes the focus.
      const buttons = [by, -by].map((step) => `${rowOf(tab)} [data-move="${step}"]:not(:disabled)`)
      focusLater(...(from === 'button' ? buttons : [`${rowOf(tab)} ${from}`]))
      change((now) => withMovedTab(now, place, by))
    },
    remove(place: number) {
      const tab = form.tabs[place]
      if (tab === undefined) return
      setRemoved({ tab, place })
      focusLater('[data-put-back]')
      change((now) => withoutTab(now, place))
    },
    putBack() {
      if (removed === null) return
      setRemoved(null)
      focusLater(nameOf(removed.tab))
      change((now) => withTab(now, removed.tab, Math.min(removed.place, now.tabs.length)))
    },
  }
}
export type Tabs = ReturnType<typeof useTabs>

const rowOf = ({ id }: TabForm) => `[data-tab="${CSS.escape(id)}"]`
const nameOf = (tab: TabForm) => `${rowOf(tab)} input`

/** Focuses the first element of these selectors after the next render: the browser takes the focus from what moves. */
function useLaterFocus(section: RefObject<HTMLElement | null>) {
  const wanted = useRef<string[]>([])
  useEffect(() => {
    // What takes the focus is rendered only now.
    for (const selector of wanted.current.splice(0)) {
      const found = section.current?.querySelector<HTMLElement>(selector)
      if (!found) continue
      found.focus()
      break
    }
  })
  return (...selectors: string[]) => {
    wanted.current = selectors
  }
}

type TabFieldsProps = {
  readonly form: CaseStudyForm
  readonly tabs: Tabs
  readonly problemOf: (tabId: string, field: 'title' | 'body') => string | undefined
  readonly onChange: Change
  /** A field of this tab has the focus. */
  readonly onFocus: (tabId: string) => void
}

/** The tabs of a case study, each with its name and its text. */
export function TabFields({ problem, ...props }: TabFieldsProps & { problem: string | undefined }) {
  const { form, tabs } = props
  const { removed, announcement } = tabs
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{copy['editor.tabs']}</legend>
      <p className="mt-1 text-sm text-soft">{copy['editor.tabs.hint']}</p>
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
      <ol className="mt-3 divide-y divide-line border-y border-line">
        {form.tabs.map((tab, place) => (
          <li key={tab.id} data-tab={tab.id} className="py-4">
            <TabRow {...props} place={place} tab={tab} />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {form.tabs.length >= MAX_TABS ? null : (
          <Button look="secondary" onClick={tabs.add}>
            <PlusIcon />
            {copy['editor.tab.add']}
          </Button>
        )}
        {removed === null || form.tabs.length >= MAX_TABS ? null : (
          <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm wrap-anywhere">
            {fill(copy['editor.tab.removed'], { name: removed.tab.title || copy['editor.tab.unnamed'] })}
            <Button look="quiet" data-put-back="" onClick={tabs.putBack}>
              {copy['editor.tab.back']}
            </Button>
          </p>
        )}
      </div>
    </fieldset>
  )
}

function TabRow({
  form,
  place,
  tab,
  tabs,
  problemOf,
  onChange,
  onFocus,
}: TabFieldsProps & { place: number; tab: TabForm }) {
  const label = (key: 'name' | 'body') => fill(copy[`editor.tab.${key}`], { n: place + 1 })
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-1">
        <Field
          label={label('name')}
          value={tab.title}
          problem={problemOf(tab.id, 'title')}
          onFocus={() => onFocus(tab.id)}
          onChange={(event) => {
            const title = event.target.value
            onChange((now) => withChangedTab(now, tab.id, { title }), `${tab.id}.title`)
          }}
          className="min-w-0 flex-[1_1_12rem]"
        />
        <TabButtons form={form} place={place} tabs={tabs} />
      </div>
      <div className="mt-3">
        <TextWithImages
          label={label('body')}
          {...(place === 0 ? { hint: draftsCopy['editor.markdown'] } : {})}
          value={tab.body}
          problem={problemOf(tab.id, 'body')}
          onFocus={() => onFocus(tab.id)}
          hasButton
          onText={(body, isTyped) =>
            onChange((now) => withChangedTab(now, tab.id, { body }), isTyped ? `${tab.id}.body` : null)
          }
        />
      </div>
    </>
  )
}

/** Moves a tab or removes it. */
function TabButtons({ form, place, tabs }: Pick<TabFieldsProps, 'form' | 'tabs'> & { place: number }) {
  const label = (key: 'up' | 'down' | 'remove') => fill(copy[`editor.tab.${key}`], { n: place + 1 })
  const last = form.tabs.length - 1
  return (
    <div className="mt-6 flex">
      <IconButton
        label={label('up')}
        data-move="-1"
        disabled={place === 0}
        onClick={() => tabs.move(place, -1, 'button')}
      >
        <UpIcon />
      </IconButton>
      <IconButton
        label={label('down')}
        data-move="1"
        disabled={place === last}
        onClick={() => tabs.move(place, 1, 'button')}
      >
        <DownIcon />
      </IconButton>
      <IconButton label={label('remove')} disabled={last === 0} onClick={() => tabs.remove(place)}>
        <TrashIcon />
      </IconButton>
    </div>
  )
}
