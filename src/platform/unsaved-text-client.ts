import { useMemo, useSyncExternalStore } from 'react'
import type { z } from 'zod'

/*
 * What somebody typed and has not saved, on this device: written with each change, so that neither a closed page nor a network
 * that goes away takes it. Each text lies under its person and what it is about.
 */

const PREFIX = 'altocert.typed.'

export type UnsavedText<Value> = {
  readonly value: Value
  /** The version of what it was typed over; null for something new. */
  readonly base: number | null
  readonly at: number
}

/** The name under which something that a person types is kept. */
export const typedKey = (userId: string, about: string) => `${PREFIX}${userId}.${about}`

/** What lies on the device under a name; on the server, and where nothing is to be had, null. */
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
const tell = () => {
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
    console.warn('What was typed here could not be read:', error)
    return null
  }
}

/** Whether it could be kept: a full or forbidden store is no reason to stop typing. */
export function storeUnsavedText(key: string, value: unknown, base: number | null): boolean {
  try {
    localStorage.setItem(key, JSON.stringify({ value, base, at: Date.now() }))
    tell()
    return true
  } catch (error) {
    console.warn('What is typed could not be kept on this device:', error)
    return false
  }
}

export function discardUnsavedText(key: string): void {
  try {
    localStorage.removeItem(key)
    tell()
  } catch (error) {
    console.warn('What was typed could not be forgotten:', error)
  }
}

/** For signing out: nothing that somebody typed stays on the device. */
export function discardAllUnsavedText(): void {
  for (const key of typedKeys()) discardUnsavedText(key)
}

/** How many texts of somebody lie here unsaved. */
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
