import { useEffect, useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Skeleton } from '../../../../ui/page-parts.tsx'
import { type Export, findLosses } from '../exports-client.ts'
import { copy } from '../exports.copy.ts'
import { groupLosses } from '../exports.ts'
import type { Losses } from '../exports.schema.ts'
import { counted } from '../../../../lib/text.ts'

const SHOWN_KEYS = 12
/** Above this many questions the report is made on request only, because it takes seconds. */
const AUTOMATIC_UP_TO = 2000

/** The parts of the selected questions that the format cannot carry. */
export function LossReport({ request, questionCount }: { request: Export; questionCount: number }) {
  const [isRequested, setRequested] = useState(questionCount <= AUTOMATIC_UP_TO)
  const [losses, setLosses] = useState<Losses | string | null>(null)
  const query = JSON.stringify(request)
  useEffect(() => {
    // The server writes the whole file to find the losses.
    if (!isRequested) return
    let isGone = false
    findLosses(JSON.parse(query) as Export)
      .catch(messageOf)
      .then((report) => (isGone ? undefined : setLosses(report)))
    return () => {
      isGone = true
    }
  }, [query, isRequested])
  if (!isRequested)
    return (
      <p>
        <Button look="secondary" onClick={() => setRequested(true)}>
          {copy['export.look']}
        </Button>
      </p>
    )
  if (losses === null)
    return (
      <div role="status">
        <span className="sr-only">{copy['export.counting']}</span>
        <Skeleton className="h-24 w-full" />
      </div>
    )
  if (typeof losses === 'string') return <Notice tone="bad">{losses}</Notice>
  const groups = groupLosses(losses.losses)
  if (groups.length === 0) return <Notice tone="good" title={copy['export.losses.none']} />
  const losing = new Set(losses.losses.flatMap(({ questionId }) => (questionId === '' ? [] : [questionId]))).size
  return (
    <section aria-labelledby="losses-heading">
      <h2 id="losses-heading" className="text-lg font-semibold">
        {copy['export.losses.title']}
      </h2>
      <p className="nums mt-1 text-sm text-soft" role="status">
        {fill(copy['export.losses.count'], { n: losing, total: losses.questionCount })}
      </p>
      <ul className="mt-3 space-y-3">
        {groups.map(({ sentence, count, questionIds }) => (
          <li key={sentence} className="border-l-4 border-flag pl-3">
            <p>{sentence}</p>
            <p className="nums text-sm wrap-anywhere text-soft">
              {count === 0
                ? copy['export.losses.exam']
                : `${counted(count, 'question')}: ${questionIds.slice(0, SHOWN_KEYS).join(', ')}`}
              {count > SHOWN_KEYS ? ` ${fill(copy['export.losses.more'], { n: count - SHOWN_KEYS })}` : ''}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
