import type { ReactNode } from 'react'

type Tone = 'info' | 'good' | 'bad' | 'flag'

const tones: Record<Tone, string> = {
  info: 'border-accent bg-accent-soft',
  good: 'border-good bg-good-soft',
  bad: 'border-bad bg-bad-soft',
  flag: 'border-flag bg-flag-soft',
}

/** A message in the page. Screen readers announce errors at once and the rest politely. */
export function Notice({
  tone,
  title,
  children,
  className,
}: {
  tone: Tone
  title?: string
  children?: ReactNode
  className?: string
}) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`rounded-md border-l-4 px-4 py-3 text-sm ${tones[tone]} ${className ?? ''}`}
    >
      {title === undefined ? null : <p className="font-semibold">{title}</p>}
      {children}
    </div>
  )
}
