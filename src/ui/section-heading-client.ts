/** Elements that can take the focus by themselves. */
export const CANDIDATES = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** The heading of the nearest section around a place, at last that of the page. */
export function headingAbove(place: Element): HTMLElement | null {
  for (let one: Element | null = place; one !== null; one = one.parentElement) {
    if (!one.matches('section, dialog, article, main, body')) continue
    const label = document.getElementById(one.getAttribute('aria-labelledby') ?? '')
    const heading = label ?? one.querySelector<HTMLElement>('h1, h2, h3, h4')
    if (heading !== null && isShown(heading)) return focusable(heading)
  }
  return document.getElementById('main')
}

export function isShown(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && element.closest('[inert]') === null
}

/** Makes an element able to take the focus. */
export function focusable(element: HTMLElement): HTMLElement {
  if (!element.matches(CANDIDATES) && !element.hasAttribute('tabindex')) element.tabIndex = -1
  return element
}
