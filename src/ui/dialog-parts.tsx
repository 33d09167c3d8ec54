import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** The part of a dialog that scrolls when there is much of it. What is wrong with a field comes into sight with the field. */
export function DialogBody({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`min-h-0 scroll-py-20 overflow-y-auto px-5 py-4 ${className}`}>{children}</div>
}

/**
 * The end of every dialog, always in sight. The main action is the first that a keyboard reaches after the fields; it is on top on a
 * phone and at the right elsewhere, with the way back beside it.
 */
export function DialogFooter({
  cancel = 'Cancel',
  onCancel,
  problem = null,
  problemTitle,
  children,
}: {
  cancel?: string
  onCancel: () => void
  problem?: ReactNode
  problemTitle?: string
  children?: ReactNode
}) {
  return (
    <div className="shrink-0 border-t border-line px-5 py-3">
      {problem === null ? null : (
        <Notice tone="bad" className="mb-3" {...(problemTitle === undefined ? {} : { title: problemTitle })}>
          {problem}
        </Notice>
      )}
      <div className="flex flex-col gap-2 sm:flex-row-reverse sm:flex-wrap">
        {children}
        <Button look="secondary" onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </div>
  )
}
