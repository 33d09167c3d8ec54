/** A ref for what appears in place of the button that was pressed: it takes the focus once, when it is mounted. */
export const takeFocus = (element: { focus(): void } | null): void => element?.focus()
