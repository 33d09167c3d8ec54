import { CANDIDATES, focusable, headingAbove, isShown } from './section-heading-client.ts'

/** A navigation moves the focus to the heading of its page first. */
const PAUSE_MS = 50
/** Elements over the page: dialogs and toasts. When one closes, the focus goes back to its opener. */
const LAYERS = 'dialog, [data-layer]'

type Step = { readonly element: Element; readonly parent: Element | null; readonly next: Element | null }
/** The element that had the focus, then its ancestors, each with its place in the document at that time. */
type Trail = readonly Step[]

/**
 * The browser drops the focus to the body when the focused element is removed, hidden or disabled. This moves it to where a user would
 * go on: what replaced the element, the next row of a list, what came after it, or the heading of its section.
 */
export function keepFocus(): void {
  let trail: Trail = []
  /** Elements that appeared since the focus was lost. One action of the user may draw several times. */
  let added: HTMLElement[] = []
  let timer: number | undefined
  let isByPointer = false
  const openers = new WeakMap<Element, Trail>()
  const noteInput = ({ type }: Event) => {
    isByPointer = type === 'pointerdown'
  }
  document.addEventListener('pointerdown', noteInput, { capture: true })
  document.addEventListener('keydown', noteInput, { capture: true })

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    const layer = target.closest(LAYERS)
    if (layer !== null && trail[0] !== undefined && !layer.contains(trail[0].element)) openers.set(layer, trail)
    trail = trailOf(target)
  })
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // A click beside everything gives the focus up on purpose.
    if (relatedTarget !== null) return
    setTimeout(() => {
      const isGivenUp = document.hasFocus() && isOnBody() && target === trail[0]?.element && isUsable(trail[0].element)
      if (isGivenUp) trail = []
    })
  })
  new MutationObserver((mutations) => {
    clearTimeout(timer)
    if (!isOnBody()) added = []
    if (trail.length === 0 || !isOnBody()) return
    const lost = trail
    const nodes = mutations.flatMap(({ addedNodes }) => [...addedNodes])
    added.push(...nodes.filter((node) => node instanceof HTMLElement))
    timer = window.setTimeout(() => {
      const isLost = isOnBody() && lost === trail && !(lost[0] !== undefined && isUsable(lost[0].element))
      if (isLost) placeAfter(lost, added, openers)?.focus({ preventScroll: isByPointer })
      added = []
    }, PAUSE_MS)
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'open'] })
}

const isOnBody = () => document.activeElement === document.body || document.activeElement === null

function isUsable(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && isShown(element) && !element.matches(':disabled')
}

function trailOf(element: Element): Trail {
  const steps: Step[] = []
  for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement)
    steps.push({ element: one, parent: one.parentElement, next: one.nextElementSibling })
  return steps
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
