/** A switch. `name` replaces the label for screen readers where several switches have the same label. */
export function Switch({
  label,
  name,
  isOn,
  isBusy = false,
  onChange,
}: {
  label: string
  name?: string
  isOn: boolean
  isBusy?: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={name ?? label}
      // Not disabled, which would lose the focus.
      aria-busy={isBusy}
      onClick={() => (isBusy ? undefined : onChange(!isOn))}
      className="inline-flex shrink-0 min-h-8 items-center gap-2 rounded-md px-1"
    >
      <span
        aria-hidden="true"
        className={`relative shrink-0 inline-block h-5 w-9 rounded-full border transition-colors duration-150 ${isOn ? 'border-accent bg-accent' : 'border-line-strong bg-sunken'}`}
      >
        <span
          className={`absolute top-0.5 size-3.5 rounded-full transition-[left] duration-150 ${isOn ? 'left-4.5 bg-on-accent' : 'left-0.5 bg-line-strong'}`}
        />
      </span>
      <span aria-hidden="true" className="whitespace-nowrap">
        {label}
      </span>
    </button>
  )
}
