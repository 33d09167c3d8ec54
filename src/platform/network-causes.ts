import type { FailureKind } from '../lib/failure.ts'
import { copy } from './platform.copy.ts'

export type Outcome = { readonly kind: FailureKind; readonly code: string; readonly sentence: string }

/** The causes that a browser finds itself. */
export const networkCauses = {
  offline: { kind: 'network', code: 'OFFLINE', sentence: copy['net.offline'] },
  'no answer': { kind: 'network', code: 'NETWORK_ERROR', sentence: copy['net.error'] },
} as const satisfies Record<string, Outcome>

export function networkCause(isOnline: boolean): 'no answer' | 'offline' {
  return isOnline ? 'no answer' : 'offline'
}

/** The title of a toast follows from the kind of the failure. */
const toastTitle = {
  authentication: copy['toast.title.authentication'],
  authorization: copy['toast.title.authorization'],
  validation: copy['toast.title.validation'],
  network: copy['toast.title.network'],
  database: copy['toast.title.database'],
  other: copy['toast.title.other'],
} as const satisfies Record<FailureKind, string>

/** The kind, title and text of a failure's toast. Invalid input is a warning, every other failure an error. */
export function failureToast(failure: { readonly kind: FailureKind; readonly message: string }) {
  const toastKind = failure.kind === 'validation' ? 'warning' : 'error'
  return [toastKind, toastTitle[failure.kind], toastSentence(failure.message)] as const
}

/** Replaces technical messages about a fetch or a permission by sentences for users. */
export function toastSentence(message: string): string {
  if (/fetch/i.test(message)) return copy['toast.fetch']
  return /permission/i.test(message) ? copy['toast.permission'] : message
}
