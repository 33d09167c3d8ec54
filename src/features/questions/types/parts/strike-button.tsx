/** Crosses a part out, or takes that back. */
export function StrikeButton({
  label,
  isPressed,
  onClick,
}: {
  label: string
  isPressed: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
      className="inline-flex min-h-11 w-11 shrink-0 items-center justify-center rounded-r-md text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink aria-pressed:text-ink"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        width="18"
        height="18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      >
        <path d="M4 12h16M8 7.5C8 6 9.5 5 12 5s4 1 4 2.5M8 16.5C8 18 9.5 19 12 19s4-1 4-2.5" />
      </svg>
    </button>
  )
}
