import type { Question } from '../../questions/questions.schema.ts'
import type { QuestionEdit } from '../drafts/drafts.schema.ts'
import type { EditedOption, EditedQuestion } from './question-editor.schema.ts'

export const emptyOption = (key: string): EditedOption => ({ key, id: null, text: '', isRight: false })

export const emptyQuestion: EditedQuestion = {
  stem: '',
  options: ['new-0', 'new-1', 'new-2', 'new-3'].map(emptyOption),
  explanation: '',
  domain: '',
  url: '',
  difficulty: '',
  needsReview: false,
}

export function toEdited(question: Question): EditedQuestion {
  const { stem, options, explanation, domain, url, difficulty, needsReview } = question
  const rows = options.map((option) => ({ ...option, key: option.id }))
  return { stem, options: rows, explanation, domain, url, difficulty, needsReview }
}

/** What is sent: without the empty rows at the end, since the form offers four options to a question of two. */
export function toQuestionEdit(edited: EditedQuestion): QuestionEdit {
  const isUsed = ({ id, text, isRight }: EditedOption) => id !== null || text.trim() !== '' || isRight
  const used = edited.options.findLastIndex(isUsed) + 1
  const options = edited.options.slice(0, Math.max(2, used))
  const { stem, explanation, domain, url, difficulty, needsReview } = edited
  return {
    stem,
    explanation,
    domain,
    url,
    difficulty,
    needsReview,
    options: options.map(({ id, text, isRight }) => ({ id, text, isRight })),
  }
}

export const isSame = (first: EditedQuestion, second: EditedQuestion) =>
  JSON.stringify(toQuestionEdit(first)) === JSON.stringify(toQuestionEdit(second))

/** The states of the form, for undo and redo. */
export type History = {
  readonly past: readonly EditedQuestion[]
  readonly now: EditedQuestion
  readonly future: readonly EditedQuestion[]
  /** The field that was typed in last, and when (epoch ms): continued typing is the same step. */
  readonly last: { readonly field: string; readonly at: number } | null
}

export const HISTORY_STEPS = 200
/** Typing in one field without a longer pause is one step, in milliseconds. */
export const STEP_MS = 1000

export const beginHistory = (now: EditedQuestion): History => ({ past: [], now, future: [], last: null })

/** The history with a change. `field` names the field for typed text, which merges into one step; null is a step of its own. */
export function withChange(history: History, next: EditedQuestion, field: string | null, at: number): History {
  const { past, now, last } = history
  const isSameStep = field !== null && last?.field === field && at - last.at < STEP_MS
  return {
    past: isSameStep ? past : [...past, now].slice(-HISTORY_STEPS),
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

/** The options with one of them moved up or down by one place. */
export function moveOption(options: readonly EditedOption[], place: number, by: 1 | -1): readonly EditedOption[] {
  const to = place + by
  const [moved, neighbour] = [options[place], options[to]]
  if (moved === undefined || neighbour === undefined) return options
  return options.map((option, at) => (at === place ? neighbour : at === to ? moved : option))
}

export type Shortcut =
  | { readonly kind: 'save' | 'save-next' | 'undo' | 'redo' | 'new-option' | 'preview' | 'help' }
  | { readonly kind: 'go'; readonly by: 1 | -1 }
  | { readonly kind: 'move-option'; readonly by: 1 | -1 }
  | { readonly kind: 'mark'; readonly place: number }

/** The part of a KeyboardEvent that decides. */
type KeyPress = Readonly<
  Record<'key' | 'code', string> & Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>
>

const withAlt: Readonly<Record<string, Shortcut>> = {
  KeyN: { kind: 'new-option' },
  KeyP: { kind: 'preview' },
  ArrowUp: { kind: 'move-option', by: -1 },
  ArrowDown: { kind: 'move-option', by: 1 },
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
