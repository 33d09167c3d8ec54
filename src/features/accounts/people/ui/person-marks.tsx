import { copy } from '../copy.ts'
import type { PersonRow } from '../schema.ts'

/** What is unusual about a person, in a word each. */
export function PersonMarks({ person }: { person: Pick<PersonRow, 'role' | 'isLocked'> }) {
  return (
    <>
      {person.role === 'admin' ? (
        <span className="ml-2 rounded-sm bg-sunken px-1.5 py-0.5 text-xs font-semibold text-soft">
          {copy['people.admin']}
        </span>
      ) : null}
      {person.isLocked ? (
        <span className="ml-2 rounded-sm bg-bad-soft px-1.5 py-0.5 text-xs font-semibold text-bad">
          {copy['people.locked']}
        </span>
      ) : null}
    </>
  )
}
