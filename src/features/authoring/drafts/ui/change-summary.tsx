import { fill } from '../../../../lib/failure.ts'
import { changedPartNames, copy } from '../drafts.copy.ts'
import { excerpt, isChanged } from '../drafts.ts'
import type { DraftChanges } from '../drafts.schema.ts'

/** Questions listed per kind of change. */
const LISTED = 10

const settingNames = {
  title: copy['exam.settings.title'],
  timeLimitMinutes: copy['exam.settings.minutes'],
  passingScore: copy['exam.settings.passing'],
  scoringPolicy: copy['exam.settings.policy'],
  isFreeTrial: copy['exam.settings.free'],
} as const satisfies Record<DraftChanges['settings'][number]['name'], string>

/** The differences between the current version and the draft. */
export function ChangeSummary({ changes }: { changes: DraftChanges }) {
  const { settings, added, removed, changed, caseStudies, isReordered } = changes
  if (!isChanged(changes)) return <p className="mt-4 font-semibold">{copy['exam.changes.none']}</p>
  return (
    <div className="mt-4 space-y-4 text-sm">
      {settings.length === 0 ? null : (
        <section>
          <h3 className="font-semibold">{copy['exam.changes.settings']}</h3>
          <ul className="nums mt-1 space-y-1">
            {settings.map(({ name, from, to }) => (
              <li key={name} className="wrap-anywhere">
                {settingNames[name]}: {settingText(from)} → {settingText(to)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Questions title={copy['exam.changes.added']} questions={added} />
      <Questions title={copy['exam.changes.removed']} questions={removed} />
      <Questions
        title={copy['exam.changes.changed']}
        questions={changed.map(({ id, stem, type, parts }) => ({
          id,
          stem,
          type,
          more: parts.map((part) => changedPartNames[part]).join(', '),
        }))}
      />
      {caseStudies.length === 0 ? null : (
        <section>
          <h3 className="nums font-semibold">
            {copy['exam.changes.case-studies']}: {caseStudies.length}
          </h3>
          <ul className="mt-1 space-y-1">
            {caseStudies.map((title) => (
              <li key={title} className="wrap-anywhere">
                {title}
              </li>
            ))}
          </ul>
        </section>
      )}
      {isReordered ? <p className="font-semibold">{copy['exam.changes.order']}</p> : null}
      {changed.some(({ parts }) => parts.includes('key')) ? (
        <p className="border-l-4 border-flag bg-flag-soft px-4 py-3">{copy['exam.publish.keys']}</p>
      ) : null}
    </div>
  )
}

function settingText(value: string): string {
  if (value === 'true') return 'on'
  if (value === 'false') return 'off'
  if (value === 'all-or-nothing' || value === 'partial') return copy[`policy.${value}`]
  return value
}

function Questions({
  title,
  questions,
}: {
  title: string
  questions: readonly { readonly id: string; readonly stem: string; readonly type: string; readonly more?: string }[]
}) {
  if (questions.length === 0) return null
  return (
    <section>
      <h3 className="nums font-semibold">
        {title}: {questions.length}
      </h3>
      <ul className="mt-1 space-y-1">
        {questions.slice(0, LISTED).map(({ id, stem, type, more }) => (
          <li key={id} className="wrap-anywhere">
            <span className="line-clamp-2">{excerpt({ type, stem })}</span>
            {more === undefined ? null : <span className="text-soft"> {more}</span>}
          </li>
        ))}
        {questions.length > LISTED ? (
          <li className="nums text-soft">{fill(copy['exam.changes.more'], { n: questions.length - LISTED })}</li>
        ) : null}
      </ul>
    </section>
  )
}
