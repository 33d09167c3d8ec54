import { Link } from 'react-router'
import { adminPaths } from '../../lib/admin-paths.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { changesOf, nameOf, shortId, textOf } from '../../platform/audit-log/audit-log.ts'
import type { AuditEntry } from '../../platform/audit-log/audit-log.schema.ts'
import { actionText, copy, tableText } from '../../platform/audit-log/audit-log.copy.ts'

/** Entries of the audit log: actor, action, subject, and the fields that changed. */
export function AuditEntries({
  lines,
  about,
}: {
  lines: readonly AuditEntry[]
  /** Id of the subject of the page, which entries about it need not name. */
  about?: string
}) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {lines.map((line) => (
        <Entry key={line.id} entry={line} isSubjectKnown={line.subjectId === about} />
      ))}
    </ul>
  )
}

function Entry({ entry, isSubjectKnown }: { entry: AuditEntry; isSubjectKnown: boolean }) {
  const changes = changesOf(entry.before, entry.after)
  const to = pathOf(entry)
  const subject = `${tableText[entry.table] ?? entry.table} ${shortId(entry.subjectId)}`
  return (
    <li className="py-4">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">{actionText[entry.action] ?? entry.action}</span>
        <span className="text-sm wrap-anywhere text-soft">{entry.actor ?? copy['audit.nobody']}</span>
        <span className="nums text-sm text-soft">{formatInstant(entry.at)}</span>
      </p>
      {isSubjectKnown ? null : (
        <p className="text-sm break-all text-soft" title={entry.subjectId}>
          {to === null ? (
            subject
          ) : (
            <Link to={to} className="text-accent underline underline-offset-2">
              {subject}
            </Link>
          )}
        </p>
      )}
      {changes.length === 0 ? null : (
        <dl className="mt-2 space-y-1 text-sm">
          {changes.map(({ field, before, after }) => (
            <div key={field} className="grid grid-cols-[minmax(0,7rem)_1fr] gap-x-4 sm:grid-cols-[minmax(0,12rem)_1fr]">
              <dt className="font-medium wrap-anywhere text-soft">{nameOf(field)}</dt>
              <dd className="nums max-w-read wrap-anywhere whitespace-pre-wrap">
                {before === undefined ? null : (
                  <del className="text-bad">
                    <span className="sr-only">{copy['audit.was']} </span>
                    {textOf({ field, value: before })}
                  </del>
                )}
                {before === undefined || after === undefined ? null : <span aria-hidden="true"> → </span>}
                {after === undefined ? null : (
                  <ins className="text-good no-underline">
                    {before === undefined ? null : <span className="sr-only">{copy['audit.is']} </span>}
                    {textOf({ field, value: after })}
                  </ins>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}

function pathOf({ table, subjectId }: AuditEntry): string | null {
  if (!/^[0-9a-f-]{36}$/.test(subjectId)) return null
  if (table === 'orders') return adminPaths.order(subjectId)
  if (table === 'courses') return adminPaths.course(subjectId)
  if (table === 'test_questions') return adminPaths.exam(subjectId)
  if (table === 'profiles') return adminPaths.user(subjectId)
  if (table === 'imports') return adminPaths.import(subjectId)
  return table === 'attempts' ? paths.examReview(subjectId) : null
}
