import type { ReactNode } from 'react'

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {children}
    </svg>
  )
}

export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6L6 18" />
  </Icon>
)
export const MenuIcon = () => (
  <Icon>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
)
export const CartIcon = () => (
  <Icon>
    <path d="M3 4h2.5l2.2 11h9.8l2-8H6.4" />
    <circle cx="9" cy="19.5" r="1.2" />
    <circle cx="16.5" cy="19.5" r="1.2" />
  </Icon>
)
export const SpeechIcon = () => (
  <Icon>
    <path d="M4 5h16v11h-9l-4.5 3.5V16H4z" />
  </Icon>
)
export const PlusIcon = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
)
export const MinusIcon = () => (
  <Icon>
    <path d="M5 12h14" />
  </Icon>
)
export const TrashIcon = () => (
  <Icon>
    <path d="M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12M10.5 11v5M13.5 11v5" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="M5 12.5l4.5 4.5L19 7.5" />
  </Icon>
)
export const CrossIcon = CloseIcon
export const FlagIcon = () => (
  <Icon>
    <path d="M6 21V4h11l-2.5 4.5L17 13H6" />
  </Icon>
)
export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
)
export const LockIcon = () => (
  <Icon>
    <rect x="5.5" y="11" width="13" height="8.5" rx="2" />
    <path d="M8.5 11V8a3.5 3.5 0 017 0v3" />
  </Icon>
)
export const ArrowIcon = () => (
  <Icon>
    <path d="M5 12h14M13 6l6 6-6 6" />
  </Icon>
)
export const SunIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />
  </Icon>
)
export const MoonIcon = () => (
  <Icon>
    <path d="M19.5 14.2A8 8 0 019.8 4.5a8 8 0 109.7 9.7z" />
  </Icon>
)
export const UpIcon = () => (
  <Icon>
    <path d="M12 19V5M6 11l6-6 6 6" />
  </Icon>
)
export const DownIcon = () => (
  <Icon>
    <path d="M12 5v14M6 13l6 6 6-6" />
  </Icon>
)
export const GripIcon = () => (
  <Icon>
    <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth="2.5" />
  </Icon>
)
export const ChevronIcon = () => (
  <Icon>
    <path d="M6 9.5l6 6 6-6" />
  </Icon>
)
