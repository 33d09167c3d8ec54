/** A key that names a part of the question: 1 and A are place 0. Its meaning depends on the type of the question. */
export type PartAction = { readonly kind: 'answer' | 'strike'; readonly place: number }
type KeyAction =
  | PartAction
  | { readonly kind: 'go'; readonly by: 1 | -1 }
  | { readonly kind: 'check' | 'flag' | 'sure' | 'unsure' | 'note' | 'speak-clock' | 'switch-clock' | 'help' }

const actions: Readonly<Record<string, KeyAction>> = {
  arrowright: { kind: 'go', by: 1 },
  arrowleft: { kind: 'go', by: -1 },
  enter: { kind: 'check' },
  // F flags; the sixth option has only the digit.
  f: { kind: 'flag' },
  s: { kind: 'sure' },
  u: { kind: 'unsure' },
  n: { kind: 'note' },
  t: { kind: 'speak-clock' },
  h: { kind: 'switch-clock' },
  '?': { kind: 'help' },
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The meaning of a key on the exam page; null for keys that belong to the browser. */
export function actionOf(event: Press): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const key = event.key.toLowerCase()
  if (key === '?') return actions[key] ?? null
  const place = placeOf(event, key)
  if (place !== null) return { kind: event.shiftKey ? 'strike' : 'answer', place }
  return event.shiftKey ? null : (actions[key] ?? null)
}

/** The place that a digit or letter names. With Shift a digit key types another character, so its code is read instead. */
function placeOf(event: Press, key: string): number | null {
  if (event.key.length !== 1) return null
  const digit = /^[1-9]$/.exec(key)?.[0] ?? (event.shiftKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined)
  if (digit !== undefined) return Number(digit) - 1
  const letter = 'abcde'.indexOf(key)
  return letter === -1 ? null : letter
}

/** Whether a key goes to a text field, or to a dialog over the exam. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog') !== null) return true
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button'].includes(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** Whether a key presses the button or follows the link that has the focus. */
export function isOnControl({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null
}

/** Voice control and slips of the hand press single keys by accident, so learners can switch them off. */
export const keysSetting = deviceSetting('altocert.exam.keys')
/** Learners whom the clock makes nervous can hide it. */
export const clockSetting = deviceSetting('altocert.exam.clock')

/** A setting stored on this device; on by default. */
function deviceSetting(key: string) {
  return {
    isOn(): boolean {
      try {
        return localStorage.getItem(key) !== 'off'
      } catch {
        return true
      }
    },
    store(isOn: boolean): void {
      try {
        localStorage.setItem(key, isOn ? 'on' : 'off')
      } catch (error) {
        console.warn('The setting could not be stored:', error)
      }
    },
  }
}
