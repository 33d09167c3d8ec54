import { useState } from 'react'

/** A list in the order that an admin gave it. The new order shows at once; the next list from the server replaces it. */
export function useReordered<Item extends { readonly id: string }>(listed: readonly Item[]) {
  const [moved, setMoved] = useState<{ readonly over: readonly Item[]; readonly ids: string[] } | null>(null)
  const shown = moved?.over === listed ? moved.ids.flatMap((id) => listed.find((one) => one.id === id) ?? []) : listed
  /** Moves an item and returns the ids in their new order. */
  const reorder = (from: number, to: number) => {
    const ids = shown.map(({ id }) => id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    setMoved({ over: listed, ids })
    return ids
  }
  return { shown, reorder, restore: () => setMoved(null) }
}
