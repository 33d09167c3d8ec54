import { useEffect, type RefObject } from 'react'

/** Focuses the first field with a problem each time `refused` changes to a new failure. */
export function useFirstProblem(form: RefObject<HTMLElement | null>, refused: object | null): void {
  useEffect(() => {
    if (refused === null) return
    form.current
      ?.querySelector<HTMLElement>('[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input')
      ?.focus()
  }, [form, refused])
}
