/** Elements over the page: dialogs and toasts. When one closes, the focus goes back to its opener. */
export const LAYERS = 'dialog, [data-layer]'

type Step = { readonly element: Element; readonly parent: Element | null; readonly next: Element | null }
/** The element that had the focus, then its ancestors, each with its place in the document at that time. */
export type Trail = readonly Step[]

/** Where the focus is or was last, and what had it before each layer opened. */
export const focusTrail = { last: [] as Trail, openers: new WeakMap<Element, Trail>() }

/** Notes where the focus is, in few bytes: the code that brings it back (focus-keeper-client.ts) arrives after the first presses. */
export function followFocus(): void {
  const note = (target: EventTarget | null) => {
    if (!(target instanceof Element)) return
    const { last, openers } = focusTrail
    const layer = target.closest(LAYERS)
    if (layer !== null && last[0] !== undefined && !layer.contains(last[0].element)) openers.set(layer, last)
    focusTrail.last = trailOf(target)
  }
  document.addEventListener('focusin', ({ target }) => note(target))
  if (!isOnBody()) note(document.activeElement)
}

export const isOnBody = () => document.activeElement === document.body || document.activeElement === null

function trailOf(element: Element): Trail {
  const steps: Step[] = []
  for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement)
    steps.push({ element: one, parent: one.parentElement, next: one.nextElementSibling })
  return steps
}
