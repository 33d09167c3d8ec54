import { useEffect, useRef } from 'react'
import { AWAY_LINE } from './away-line.ts'
import { useSite } from './use-site.ts'

/**
 * Empty, except on a guest's page from before the database went away: the server fills in the sentence then, without rendering the
 * page. It goes with the next data.
 */
export function AwayLine() {
  const site = useSite()
  const line = useRef<HTMLParagraphElement>(null)
  const filledFor = useRef(site)
  useEffect(() => {
    // Each server reply is a new object.
    if (filledFor.current !== site) line.current?.replaceChildren()
  }, [site])
  return (
    <p
      id={AWAY_LINE}
      ref={line}
      role="status"
      className="border-b border-line bg-flag-soft px-4 py-2 text-center text-sm text-flag empty:hidden"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  )
}
