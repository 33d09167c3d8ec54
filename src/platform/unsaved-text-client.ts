import { useMemo, useSyncExternalStore } from 'react'
import type { z } from 'zod'

/*
 * Text that a user typed and has not saved, stored on this device with each change, so that closing the page or losing the network
 * loses nothing. Each text has a key of its user and its subject.
 */

const PREFIX = 'altocert.typed.'

type UnsavedText<Value> = {
  readonly value: Value
  /** The version of the stored thing that the text changes; null for a new one. */
  readonly base: number | null
  readonly at: number
}

/** The storage key of a user's unsaved text about a subject. */
export const typedKey = (userId: string, about: string) => `${PREFIX}${userId}.${about}`

/** The stored text under a key; null on the server, and when there is none or it cannot be read. */
export function useTyped<Schema extends z.ZodType>(key: string, schema: Schema): UnsavedText<z.output<Schema>> | null {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => textAt(key),
    () => null,
  )
  return useMemo(() => read(text, schema), [text, schema])
}

const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

function textAt(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function read<Schema extends z.ZodType>(text: string | null, schema: Schema): UnsavedText<z.output<Schema>> | null {
  if (text === null) return null
  try {
    const { value, base, at } = JSON.parse(text) as Partial<UnsavedText<unknown>>
    const parsed = schema.safeParse(value)
    if (!parsed.success) return null
    return { value: parsed.data, base: typeof base === 'number' ? base : null, at: typeof at === 'number' ? at : 0 }
  } catch (error) {
    console.warn('The unsaved text could not be read:', error)
    return null
  }
}

/** Returns whether the text was stored: a full or blocked storage must not interrupt typing. */
export function storeUnsavedText(key: string, value: unknown, base: number | null): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ value, base, at: Date.now() }))
    notifyListeners()
    return true
  } catch (error) {
    console.warn('The unsaved text could not be stored on this device:', error)
    return false
  }
}

export function discardUnsavedText(key: string): void {
  try {
    localStorage.removeItem(key)
    notifyListeners()
  } catch (error) {
    console.warn('The unsaved text could not be deleted:', error)
  }
}

/** After a save: deletes the text, or, if it was changed while the save was under way, makes it a change of the saved version. */
export function settleUnsavedText(key: string, { saved, base }: { saved: unknown; base: number }): void {
  const text = textAt(key)
  if (text === null) return
  try {
    const { value } = JSON.parse(text) as Partial<UnsavedText<unknown>>
    if (JSON.stringify(value) === JSON.stringify(saved)) discardUnsavedText(key)
    else storeUnsavedText(key, value, base)
  } catch {
    discardUnsavedText(key)
  }
}

/** Deletes the unsaved texts of every user, for signing out. */
export function discardAllUnsavedText(): void {
  for (const key of typedKeys()) discardUnsavedText(key)
}

/** How many unsaved texts of a user this device holds. */
export function countUnsavedText(userId: string): number {
  return typedKeys().filter((key) => key.startsWith(typedKey(userId, ''))).length
}

function typedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  } catch {
    return []
  }
}
