import { copy } from '../accounts.copy.ts'

/** Sign-in with Google is a page load, so this is a link; when disabled, a disabled button. */
export function GoogleButton({ returnTo, isDisabled = false }: { returnTo: string; isDisabled?: boolean }) {
  const look =
    'flex min-h-11 w-full items-center justify-center gap-3 rounded-md border border-line-strong bg-surface px-4 py-2 text-sm font-semibold'
  const words = (
    <>
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        width="18"
        height="18"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
      >
        <path d="M20.5 12H12.500M20.5 12a8.5 8.5 0 11-2.7-6.2" strokeLinecap="round" />
      </svg>
      {copy['login.google']}
    </>
  )
  if (isDisabled)
    return (
      <button type="button" disabled className={`${look} opacity-55`}>
        {words}
      </button>
    )
  return (
    <a href={`/api/auth/google?redirect=${encodeURIComponent(returnTo)}`} className={`${look} hover:bg-sunken`}>
      {words}
    </a>
  )
}

export function Divider() {
  return (
    <div className="my-5 flex items-center gap-3 text-sm text-soft" aria-hidden="true">
      <span className="h-px flex-1 bg-line" />
      or
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}
