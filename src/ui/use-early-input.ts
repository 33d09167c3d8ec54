import { useEffect, useEffectEvent, useRef, type ChangeEvent, type RefObject } from 'react'

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Reports to a controlled field's `onChange` what a user typed or chose before the page's scripts ran. Hydration leaves it in the
 * field, but the state doesn't know it, and its next change would overwrite the field.
 *
 * @returns the ref for the field: the given one, or a new one
 */
export function useEarlyInput<Element extends FormField>({
  value,
  checked,
  onChange,
  ref,
}: {
  value?: unknown
  checked?: boolean | undefined
  onChange?: ((event: ChangeEvent<Element>) => void) | undefined
  ref?: RefObject<Element | null> | undefined
}): RefObject<Element | null> {
  const own = useRef<Element>(null)
  const field = ref ?? own
  const reportEarlyInput = useEffectEvent(() => {
    const { current } = field
    if (current === null || onChange === undefined || !isChanged(current, value, checked)) return
    // Not a dispatched event: React drops one when the text is the same as at hydration.
    onChange({ target: current, currentTarget: current } as ChangeEvent<Element>)
  })
  useEffect(() => reportEarlyInput(), [])
  return field
}

function isChanged(field: FormField, value: unknown, checked: boolean | undefined): boolean {
  if (!(field instanceof HTMLInputElement) || (field.type !== 'radio' && field.type !== 'checkbox'))
    return value !== undefined && field.value !== String(value)
  // Of two radio buttons that changed, only the chosen one has an event.
  return checked !== undefined && field.checked !== checked && (field.checked || field.type === 'checkbox')
}
