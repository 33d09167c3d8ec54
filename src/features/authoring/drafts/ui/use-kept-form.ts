import { useState } from 'react'
import type { z } from 'zod'
import { discardUnsavedText, storeUnsavedText, useTyped } from '../../../../platform/unsaved-text-client.ts'

/** Where a form is stored on this device, and the version of the stored row that it changes; null for a new row. */
export type KeptAs = { readonly key: string; readonly base: number | null }

/**
 * The values of a form in a dialog, stored on this device with each change: Escape, a press outside and a reload lose nothing.
 * The form offers them when it is opened again.
 */
export function useKeptForm<Schema extends z.ZodType>({ key, base }: KeptAs, schema: Schema, before: z.output<Schema>) {
  const [typed, setTyped] = useState<z.output<Schema> | null>(null)
  const onDevice = useTyped(key, schema)
  const isSame = (values: z.output<Schema>) => JSON.stringify(values) === JSON.stringify(before)
  const kept = typed === null && onDevice !== null && !isSame(onDevice.value) ? onDevice : null
  const change = (values: z.output<Schema>) => {
    setTyped(values)
    if (isSame(values)) discardUnsavedText(key)
    else storeUnsavedText(key, values, base)
  }
  return {
    values: typed ?? before,
    change,
    /** The text of an earlier visit, until something is typed. */
    kept,
    isOlder: kept !== null && kept.base !== base,
    takeUp: () => kept !== null && change(kept.value),
    discard: () => discardUnsavedText(key),
  }
}
export type KeptForm = Pick<ReturnType<typeof useKeptForm>, 'kept' | 'isOlder' | 'takeUp' | 'discard'>
