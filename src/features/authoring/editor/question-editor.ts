import type { Question } from '../../questions/questions.schema.ts'
import type { QuestionEdit } from '../drafts/drafts.schema.ts'
import type { Edited, EditedOption } from './question-editor.schema.ts'

export const emptyOption = (key: string): EditedOption => ({ key, id: null, text: '', isRight: false })

export const emptyQuestion: Edited = {
  stem: '',
  options: ['new-0', 'new-1', 'new-2', 'new-3'].map(emptyOption),
  explanation: '',
  domain: '',
  url: '',
  needsReview: false,
}

export function toEdited({ stem, options, explanation, domain, url, needsReview }: Question): Edited {
  return { stem, explanation, domain, url, needsReview, options: options.map((one) => ({ ...one, key: one.id })) }
}

/** Without the places at the end that nobody has filled: a form of four for a question of two. */
export function toQuestionEdit(edited: Edited): QuestionEdit {
  const isUsed = ({ id, text, isRight }: EditedOption) => id !== null || text.trim() !== '' || isRight
  const used = edited.options.findLastIndex(isUsed) + 1
  const options = edited.options.slice(0, Math.max(2, used))
  const { stem, explanation, domain, url, needsReview } = edited
  return {
    stem,
    explanation,
    domain,
    url,
    needsReview,
    options: options.map(({ id, text, isRight }) => ({ id, text, isRight })),
  }
}

export const isSame = (one: Edited, other: Edited) =>
  JSON.stringify(toQuestionEdit(one)) === JSON.stringify(toQuestionEdit(other))

/** Everything that was in the form, so that each step can be taken back and forth. */
export type History = {
  readonly past: readonly Edited[]
  readonly now: Edited
  readonly future: readonly Edited[]
  /** What was typed in last, and when: typing on is the same step. */
  readonly last: { readonly field: string; readonly at: number } | null
}

export const HISTORY_STEPS = 200
/** Typing in one field without a longer pause is one step. */
export const STEP_MS = 1000

export const beginHistory = (now: Edited): History => ({ past: [], now, future: [], last: null })

/** The form with a change. A change of a field's text is named by the field; others are a step each. */
export function withChange(history: History, next: Edited, field: string | null, at: number): History {
  const { past, now, last } = history
  const goesOn = field !== null && last?.field === field && at - last.at < STEP_MS
  return {
    past: goesOn ? past : [...past, now].slice(-HISTORY_STEPS),
    now: next,
    future: [],
    last: field === null ? null : { field, at },
  }
}

export function undo(history: History): History {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future], last: null }
}

export function redo(history: History): History {
  const [next, ...future] = history.future
  return next === undefined ? history : { past: [...history.past, history.now], now: next, future, last: null }
}

/** The answers with one of them a place further up or down. */
export function moveOption(options: readonly EditedOption[], place: number, by: 1 | -1): readonly EditedOption[] {
  const to = place + by
  const [one, other] = [options[place], options[to]]
  if (one === undefined || other === undefined) return options
  return options.map((option, at) => (at === place ? other : at === to ? one : option))
}

export type EditorAction =
  | { readonly kind: 'save' | 'save-next' | 'undo' | 'redo' | 'new-answer' | 'preview' | 'help' }
  | { readonly kind: 'go'; readonly by: 1 | -1 }
  | { readonly kind: 'move-answer'; readonly by: 1 | -1 }
  | { readonly kind: 'mark'; readonly place: number }

/** As the browser tells it of a key. */
type Press = Readonly<Record<'key' | 'code', string> & Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>>

const withAlt: Readonly<Record<string, EditorAction>> = {
  KeyN: { kind: 'new-answer' },
  KeyP: { kind: 'preview' },
  ArrowUp: { kind: 'move-answer', by: -1 },
  ArrowDown: { kind: 'move-answer', by: 1 },
  PageUp: { kind: 'go', by: -1 },
  PageDown: { kind: 'go', by: 1 },
}

/** What a key means in the editor; null for keys that belong to the field or the browser. By the key's place with Alt, because there some layouts write signs. */
export function editorAction(press: Press, isTyping: boolean): EditorAction | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = press
  if (altKey && !ctrlKey && !metaKey) {
    const digit = /^Digit([1-6])$/.exec(code)?.[1]
    if (digit !== undefined) return { kind: 'mark', place: Number(digit) - 1 }
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

/** The Markdown of a picture, described by its file's name until somebody says more. */
export function imageMarkdown(address: string, fileName: string): string {
  const name = fileName
    .replace(/\.[a-z0-9]+$/i, '')
    .replaceAll(/[[\]()\\_-]+/g, ' ')
    .trim()
  const isNamed = name !== '' && !/^(image|img|screenshot|bild|clipboard)?[\s\d.]*$/i.test(name)
  return `![${isNamed ? name : 'Describe the picture'}](${address})`
}

/** A text with another one in place of what is selected, on a line of its own. */
export function withInserted(text: string, piece: string, from: number, to: number): string {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const trail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  return `${before}${lead}${piece}${trail}${after}`
}
