/** The states of a form, for undo and redo. */
export type History<Form> = {
  readonly past: readonly Form[]
  readonly now: Form
  readonly future: readonly Form[]
  /** The field that was typed in last, and when (epoch ms): continued typing is the same step. */
  readonly last: { readonly field: string; readonly at: number } | null
}

const HISTORY_STEPS = 200
/** Typing in one field without a longer pause is one step, in milliseconds. */
export const STEP_MS = 1000

export const beginHistory = <Form>(now: Form): History<Form> => ({ past: [], now, future: [], last: null })

/** The history with a change. `field` names the field for typed text, which merges into one step; null is a step of its own. */
export function withChange<Form>(history: History<Form>, next: Form, field: string | null, at: number): History<Form> {
  const { past, now, last } = history
  const isSameStep = field !== null && last?.field === field && at - last.at < STEP_MS
  return {
    past: isSameStep ? past : [...past, now].slice(-HISTORY_STEPS),
    now: next,
    future: [],
    last: field === null ? null : { field, at },
  }
}

export function undo<Form>(history: History<Form>): History<Form> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future], last: null }
}

export function redo<Form>(history: History<Form>): History<Form> {
  const [next, ...future] = history.future
  return next === undefined ? history : { past: [...history.past, history.now], now: next, future, last: null }
}

export type Shortcut =
  | { readonly kind: 'save' | 'save-next' | 'undo' | 'redo' | 'preview' | 'help' }
  | { readonly kind: 'add-part' }
  | { readonly kind: 'go'; readonly by: 1 | -1 }
  | { readonly kind: 'move-part'; readonly by: 1 | -1 }
  | { readonly kind: 'mark-part'; readonly place: number }

/** The part of a KeyboardEvent that decides. */
type KeyPress = Readonly<
  Record<'key' | 'code', string> & Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>
>

const withAlt: Readonly<Record<string, Shortcut>> = {
  KeyN: { kind: 'add-part' },
  KeyP: { kind: 'preview' },
  ArrowUp: { kind: 'move-part', by: -1 },
  ArrowDown: { kind: 'move-part', by: 1 },
  PageUp: { kind: 'go', by: -1 },
  PageDown: { kind: 'go', by: 1 },
}

/**
 * The shortcut that a key press means; null for keys that belong to the field or the browser. With Alt the physical key
 * (`code`) decides, because some layouts type other characters with Alt.
 */
export function shortcutOf(press: KeyPress, isTyping: boolean): Shortcut | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press
  if (altKey && !ctrlKey && !metaKey) {
    const digit = /^Digit([1-6])$/.exec(code)?.[1]
    if (digit !== undefined) return { kind: 'mark-part', place: Number(digit) - 1 }
    return withAlt[code] ?? null
  }
  if ((ctrlKey || metaKey) && !altKey) {
    const letter = key.toLowerCase()
    if (letter === 's' && !shiftKey) return { kind: 'save' }
    if (key === 'Enter') return { kind: 'save-next' }
    if (letter === 'z') return { kind: shiftKey ? 'redo' : 'undo' }
    return letter === 'y' && !shiftKey ? { kind: 'redo' } : null
  }
  return key === '?' && !isTyping ? { kind: 'help' } : null
}

/** The Markdown of an image. Its file name serves as the description until the author writes a better one. */
export function imageMarkdown(address: string, fileName: string): string {
  const name = fileName
    .replace(/\.[a-z0-9]+$/i, '')
    .replaceAll(/[[\]()\\_-]+/g, ' ')
    .trim()
  const isNamed = name !== '' && !/^(image|img|screenshot|bild|clipboard)?[\s\d.]*$/i.test(name)
  return `![${isNamed ? name : 'Describe the image'}](${address})`
}

/** A text whose selection (`from` to `to`) is replaced by a piece that becomes a paragraph of its own. */
export function withInserted(text: string, piece: string, from: number, to: number): string {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const trail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  return `${before}${lead}${piece}${trail}${after}`
}
