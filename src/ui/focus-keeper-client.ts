import { focusTrail, isOnBody, LAYERS, type Trail } from './focus-trail-client.ts'
import { CANDIDATES, focusable, headingAbove, isShown } from './section-heading-client.ts'

/** A navigation moves the focus to the heading of its page first. */
const PAUSE_MS = 50
/**
 * The browser drops the focus to the body when the focused element is removed, moved, hidden or disabled. This moves it to where a user would
 * go on: what replaced the element, the next row of a list, what came after it, or the heading of its section.
 */
export function keepFocus(): void {
  /** Elements that appeared since the focus was lost. One action of the user may draw several times. */
  let added: HTMLElement[] = []
  let timer: number | undefined
  let isByPointer = false
  const noteInput = ({ type }: Event) => {
    isByPointer = type === 'pointerdown'
  }
  document.addEventListener('pointerdown', noteInput, { capture: true })
  document.addEventListener('keydown', noteInput, { capture: true })

  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // A click beside everything gives the focus up on purpose. By keyboard it is lost, as when React moves an element.
    if (relatedTarget !== null || !isByPointer) return
    setTimeout(() => {
      const before = focusTrail.last[0]?.element
      if (document.hasFocus() && isOnBody() && target === before && isUsable(before)) focusTrail.last = []
    })
  })
  const bringBack = (lost: Trail) => {
    const before = lost[0]?.element
    if (isOnBody() && lost === focusTrail.last) {
      // An element that was moved, or hidden for a moment, is where it was.
      const place = isUsable(before) ? before : placeAfter(lost, added, focusTrail.openers)
      place?.focus({ preventScroll: isByPointer })
    }
    added = []
  }
  new MutationObserver((mutations) => {
    clearTimeout(timer)
    const lost = focusTrail.last
    if (!isOnBody()) added = []
    if (lost.length === 0 || !isOnBody()) return
    const nodes = mutations.flatMap(({ addedNodes }) => [...addedNodes])
    added.push(...nodes.filter((node) => node instanceof HTMLElement))
    timer = window.setTimeout(() => bringBack(lost), PAUSE_MS)
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'open'] })
  // This code may arrive after a press whose effect has taken the focus away.
  const { last } = focusTrail
  if (last.length > 0 && !isUsable(last[0]?.element)) bringBack(last)
}

function isUsable(element: Element | undefined): element is HTMLElement {
  return element instanceof HTMLElement && isShown(element) && !element.matches(':disabled')
}

/** Where the focus goes from the lost end of a trail: inside its layer, or from a closed layer back to the opener. */
function placeAfter(trail: Trail, added: readonly HTMLElement[], openers: WeakMap<Element, Trail>): HTMLElement | null {
  const layer = trail.find(({ element }) => element.matches(LAYERS))?.element
  if (layer === undefined) return placeNear(trail, added, null)
  const inside = isShown(layer) ? placeNear(trail, added, layer) : null
  if (inside !== null) return inside
  const opener = openers.get(layer)
  if (opener?.[0] === undefined) return headingAbove(document.body)
  return isUsable(opener[0].element) ? opener[0].element : placeAfter(opener, added, openers)
}

/** The replacement of what is gone, what came after it, other new content, or the heading above. */
function placeNear(trail: Trail, added: readonly HTMLElement[], layer: Element | null): HTMLElement | null {
  const gone = trail.findLast(({ element }) => !isShown(element)) ?? trail[0]
  if (gone?.parent === null || gone?.parent === undefined) return null
  const { parent } = gone
  const isRow = gone.element.matches('li, tr')
  const shown = added.filter(isContent).filter((element) => layer === null || layer.contains(element))
  const replacement = isRow ? undefined : shown.find((element) => parent.contains(element))
  if (replacement !== undefined) return firstIn(replacement) ?? focusable(replacement)
  const next = gone.next === null ? null : firstIn(gone.next)
  if (next !== null) return next
  // Toasts without another control give the focus back to what had it before.
  if (layer !== null && !layer.matches('dialog')) return null
  const elsewhere = isRow ? undefined : shown[0]
  return elsewhere === undefined ? headingAbove(parent) : (firstIn(elsewhere) ?? focusable(elsewhere))
}

/** Whether something new is content of the page: neither empty nor a toast. */
function isContent(element: HTMLElement): boolean {
  return isShown(element) && element.textContent !== '' && element.closest('[data-layer], head') === null
}

function firstIn(element: Element): HTMLElement | null {
  const all = [element, ...element.querySelectorAll(CANDIDATES)]
  return all.find((one): one is HTMLElement => one.matches(CANDIDATES) && isUsable(one)) ?? null
}
