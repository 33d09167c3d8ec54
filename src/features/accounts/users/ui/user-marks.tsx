import { copy } from '../users.copy.ts'
import type { UserRow } from '../users.schema.ts'

/** Badges of a user: admin, locked. */
export function UserMarks({ user }: { user: Pick<UserRow, 'role' | 'isLocked'> }) {
  return (
    <>
      {user.role === 'admin' ? (
        <span className="ml-2 rounded-sm bg-sunken px-1.5 py-0.5 text-xs font-semibold text-soft">
          {copy['people.admin']}
        </span>
      ) : null}
      {user.isLocked ? (
        <span className="ml-2 rounded-sm bg-bad-soft px-1.5 py-0.5 text-xs font-semibold text-bad">
          {copy['people.locked']}
        </span>
      ) : null}
    </>
  )
}
