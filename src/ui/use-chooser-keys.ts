import { useEffect, useEffectEvent, useState, type KeyboardEvent, type RefObject } from 'react'
import type { ChooserState } from './chooser.tsx'

type PlainKeyEvent = KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler: () => void }
type ListPlace = { readonly place: RefObject<HTMLElement | null>; readonly isListed: boolean }

/** Keys that differ from the package: Home and End move to an option, Tab chooses one, Escape restores the former choice. */
export function useChooserKeys(
  chooser: ChooserState,
  { submitsText, ...list }: ListPlace & { readonly submitsText: boolean },
) {
  const { typed, isOpen, reply, found } = chooser
  const { activeIndex, setActiveIndex, moved, setMoved, options, moveTo } = useActiveOption(isOpen, list)
  const enter = (): boolean => {
    if (reply?.kind === 'failed') chooser.tryAgain()
    else if (submitsText) {
      // The form is submitted as it is: the server resolves the text.
      chooser.close()
      return false
    } else if (options().length === 1) chooser.pick(found[0]?.id ?? '')
    return true
  }
  /** Returns whether the key is used up: it neither moves the caret nor submits the form nor closes the dialog around it. */
  const handleOwnKey = (key: string): boolean => {
    if (key === 'Escape') {
      if (!isOpen && typed === null) return false
      chooser.restore()
      return true
    }
    if (!isOpen) return false
    if (key === 'Tab') {
      if (activeIndex !== null) options()[activeIndex]?.click()
      else if (reply?.kind !== 'failed') chooser.close()
      return false
    }
    if (key === 'Enter') return enter()
    if (activeIndex === null) return false
    moveTo(key === 'Home' ? 'first' : 'last')
    return true
  }
  const handleKey = (event: PlainKeyEvent) => {
    const { key, nativeEvent } = event
    if (nativeEvent.isComposing) return
    if (key === 'ArrowDown' || key === 'ArrowUp') setMoved(key)
    const isOwn = ['Escape', 'Tab', 'Home', 'End'].includes(key) || (key === 'Enter' && activeIndex === null)
    if (!isOwn) return
    event.preventBaseUIHandler()
    if (!handleOwnKey(key)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { moved, setMoved, setActiveIndex, handleKey }
}

/** The active option, which the package knows and reports, and moves that the package lacks. */
function useActiveOption(isOpen: boolean, { place, isListed }: ListPlace) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null)
  /** The arrow that was pressed since the last typing: then an item is always active, also in a list that arrives later. */
  const [moved, setMoved] = useState<'ArrowDown' | 'ArrowUp' | null>(null)
  if (!isOpen && (activeIndex !== null || moved !== null)) {
    setActiveIndex(null)
    setMoved(null)
  }
  const options = () => [...(place.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  /** The package moves to an item by single steps or by the mouse alone. */
  const moveTo = (end: 'first' | 'last') => {
    const item = end === 'first' ? options()[0] : options().at(-1)
    item?.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, movementX: 1 }))
    item?.scrollIntoView({ block: 'nearest' })
  }
  const startMoving = useEffectEvent(() => {
    if (moved !== null && activeIndex === null) moveTo(moved === 'ArrowDown' ? 'first' : 'last')
  })
  useEffect(() => {
    if (isListed) startMoving()
  }, [isListed])
  return { activeIndex, setActiveIndex, moved, setMoved, options, moveTo }
}
