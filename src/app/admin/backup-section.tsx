import { fill } from '../../lib/failure.ts'
import { sizeText } from '../../lib/text.ts'
import { formatInstant } from '../../lib/time.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page-parts.tsx'
import { copy } from '../app.copy.ts'
import type { BackupReport } from '../backups/backup-report.server.ts'

/** What has become of the scheduled backups: the last one, its test, and why one failed. */
export function BackupSection({ backups }: { backups: BackupReport | null }) {
  return (
    <Section id="backups" title={copy['backups.heading']}>
      {backups === null ? (
        <p className="max-w-read text-soft">{copy['backups.off']}</p>
      ) : (
        <>
          <Problems backups={backups} />
          <Facts backups={backups} />
        </>
      )}
    </Section>
  )
}

function Problems({ backups: { failure, failures, isLate, testedMadeAt } }: { backups: BackupReport }) {
  return (
    <>
      {failure === null ? null : (
        <Notice
          tone="bad"
          className="mb-3 max-w-read wrap-anywhere"
          title={fill(copy['backups.failed'], { n: failures })}
        >
          <p>{failure.sentence}</p>
          <p>
            {fill(copy['backups.retry'], { at: formatInstant(failure.at), retryAt: formatInstant(failure.retryAt) })}
          </p>
        </Notice>
      )}
      {isLate && testedMadeAt !== null ? (
        <Notice tone="flag" className="mb-3 max-w-read">
          {fill(copy['backups.late'], { at: formatInstant(testedMadeAt) })}
        </Notice>
      ) : null}
    </>
  )
}

function Facts({ backups: { last, testedMadeAt, place, nextAt, copyPlace, copied } }: { backups: BackupReport }) {
  const facts: [label: string, text: string][] = [
    [copy['backups.last'], last === null ? copy['backups.none'] : describe(last)],
    ...(last === null ? [] : [[copy['backups.test'], testText(last)] satisfies [string, string]]),
    ...(testedMadeAt === null || testedMadeAt === last?.madeAt
      ? []
      : [[copy['backups.tested'], formatInstant(testedMadeAt)] satisfies [string, string]]),
    [copy['backups.place'], place],
    ...(copyPlace === null
      ? []
      : [
          [
            copy['backups.copies'],
            fill(copy['backups.copies.line'], {
              place: copyPlace,
              last: copied === null ? copy['backups.copies.none'] : formatInstant(copied.madeAt),
            }),
          ] satisfies [string, string],
        ]),
    [copy['backups.next'], formatInstant(nextAt)],
  ]
  return (
    <dl className="nums divide-y divide-line border-y border-line">
      {facts.map(([label, text]) => (
        <div key={label} className="flex flex-wrap gap-x-6 gap-y-1 py-3">
          <dt className="w-40 shrink-0 text-soft">{label}</dt>
          <dd className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

type LastBackup = NonNullable<BackupReport['last']>

function describe({ madeAt, bytes, rows, isSealed }: LastBackup): string {
  const seal = isSealed ? copy['backups.sealed'] : copy['backups.open']
  return fill(copy['backups.line'], { at: formatInstant(madeAt), size: sizeText(bytes), n: rows, seal })
}

function testText({ test, why }: LastBackup): string {
  if (test === null) return copy['backups.test.running']
  return [copy[`backups.test.${test === 'not tested' ? 'none' : test}`], why ?? ''].join(' ').trim()
}
