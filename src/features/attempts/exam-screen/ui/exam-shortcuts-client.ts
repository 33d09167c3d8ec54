export type KeyAction =
  | { readonly kind: 'select'; readonly place: number }
  | { readonly kind: 'strike'; readonly place: number }
  | { readonly kind: 'go'; readonly by: 1 | -1 }
  | { readonly kind: 'flag' | 'sure' | 'unsure' | 'note' | 'speak-clock' | 'switch-clock' | 'help' }

const actions: Readonly<Record<string, KeyAction>> = {
  arrowright: { kind: 'go', by: 1 },
  arrowleft: { kind: 'go', by: -1 },
  // F flags; the sixth answer is at 6.
  f: { kind: 'flag' },
  s: { kind: 'sure' },
  u: { kind: 'unsure' },
  n: { kind: 'note' },
  t: { kind: 'speak-clock' },
  h: { kind: 'switch-clock' },
  '?': { kind: 'help' },
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** What a key means on the exam page; null for keys that belong to the browser. */
export function actionOf(event: Press, optionCount: number): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const key = event.key.toLowerCase()
  if (key === '?') return actions[key] ?? null
  const place = placeOf(event, key)
  if (place !== null && place < optionCount) return { kind: event.shiftKey ? 'strike' : 'select', place }
  return event.shiftKey ? null : (actions[key] ?? null)
}

/** The answer that a key names. With Shift a digit's key says something else on every layout, but it is the same key. */
function placeOf(event: Press, key: string): number | null {
  if (event.key.length !== 1) return null
  const digit = /^[1-6]$/.exec(key)?.[0] ?? (event.shiftKey ? /^Digit([1-6])$/.exec(event.code)?.[1] : undefined)
  if (digit !== undefined) return Number(digit) - 1
  const letter = 'abcde'.indexOf(key)
  return letter === -1 ? null : letter
}

/** Whether a key goes to a field that somebody types in, or to a dialog over the exam. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog') !== null) return true
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button'].includes(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** People who speak to their computer, or whose hands slip, can switch single keys off. */
export const keysChoice = onDevice('altocert.exam.keys')
/** Some are calmer without a clock before their eyes. */
export const clockChoice = onDevice('altocert.exam.clock')

/** A choice between on and off that this device remembers; on until somebody chooses. */
function onDevice(key: string) {
  return {
    isOn(): boolean {
      try {
        return localStorage.getItem(key) !== 'off'
      } catch {
        return true
      }
    },
    keep(isOn: boolean): void {
      try {
        localStorage.setItem(key, isOn ? 'on' : 'off')
      } catch (error) {
        console.warn('The choice could not be kept:', error)
      }
    },
  }
}
