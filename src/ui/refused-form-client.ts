/**
 * After a submission that fails, moves the focus to the first field with a problem, or to the message if no field has one. It stays
 * where it is once the user does anything else.
 */
export function focusRefusals(): void {
  // These scripts come after the page is usable: the form of a button that has the focus may have been submitted before them.
  const pressed = document.activeElement
  let form: HTMLFormElement | null = pressed instanceof HTMLButtonElement ? watched(pressed.form) : null
  const forget = () => {
    form = null
  }
  // A voice or a screen reader focuses a field without a key or a pointer.
  for (const act of ['pointerdown', 'keydown', 'focusin']) document.addEventListener(act, forget, { capture: true })
  document.addEventListener('submit', ({ target }) => {
    form = target instanceof HTMLFormElement ? watched(target) : null
    // A field that was invalid before the submission does not change, so the observer is not called for it.
    setTimeout(() => focusProblem(false), 50)
  })
  new MutationObserver((mutations) => {
    if (form === null) return
    const hasMessage = mutations.some(({ addedNodes }) => [...addedNodes].some(isAlert))
    const hasProblem = mutations.some(({ type, target }) => type === 'attributes' && isInvalid(target))
    if (hasMessage || hasProblem) setTimeout(() => focusProblem(hasMessage), 0)
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['aria-invalid'] })

  focusProblem(false)

  /** `hasMessage`: a message appeared, which gets the focus if no field has a problem. */
  function focusProblem(hasMessage: boolean) {
    if (form === null || !form.isConnected) return
    const around = form.closest('dialog, section, main') ?? form
    const field = form.querySelector<HTMLElement>(
      '[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input',
    )
    const message = hasMessage ? around.querySelector<HTMLElement>('[role="alert"]:not(:empty)') : null
    const place = field ?? message
    if (place === null) return
    forget()
    if (field === null) place.tabIndex = -1
    place.focus()
  }
}

const watched = (form: HTMLFormElement | null) => (form?.role === 'search' ? null : form)

const isInvalid = (node: Node) => node instanceof Element && node.getAttribute('aria-invalid') === 'true'

function isAlert(node: Node): boolean {
  return node instanceof Element && (node.matches('[role="alert"]') || node.querySelector('[role="alert"]') !== null)
}
