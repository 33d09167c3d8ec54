import { useEffect, type RefObject } from 'react'

/** What was sent has come back refused: the first field with a problem has the focus, so that it is seen and read out. */
export function useFirstProblem(form: RefObject<HTMLElement | null>, refused: object | null): void {
  useEffect(() => {
    // Outside: the focus, which may be at the end of a long form.
    if (refused === null) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, refused])
}
