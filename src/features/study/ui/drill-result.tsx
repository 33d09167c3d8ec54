import { AnswerForm } from '../../questions/types/form-registry.tsx'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { copy } from '../study.copy.ts'
import { drillResult, nextStep } from '../study.ts'
import type { DrillQuestion, DrillView } from '../study.schema.ts'
import { ReviewDue } from '../repetition/repetition-block.tsx'
import type { ExplanationSlot } from './running-drill.tsx'

/** The result of a drill, the missed questions with explanations, and the next step. */
export function DrillResult({
  drill,
  left,
  renderExplanation,
}: {
  drill: DrillView
  left: { readonly dueCount: number; readonly unseenCount: number }
  renderExplanation: ExplanationSlot
}) {
  const { rightCount: right, answeredCount: answered, leftOutCount, domains, missed } = drillResult(drill)
  return (
    <>
      <p className="nums mt-4 text-3xl font-semibold">
        {answered === 0 ? copy['result.nothing'] : fill(copy['result.score'], { right, answered })}
      </p>
      {leftOutCount === 0 || answered === 0 ? null : (
        <p className="nums mt-1 text-soft">{fill(copy['result.left-out'], { n: leftOutCount })}</p>
      )}
      {drill.withheld === null ? (
        <NextStep drill={drill} left={left} />
      ) : (
        <Withheld why={drill.withheld} courseSlug={drill.courseSlug} />
      )}
      {domains.length === 0 ? null : <DomainScores domains={domains} />}
      {answered === 0 ? null : <MissedQuestions missed={missed} renderExplanation={renderExplanation} />}
    </>
  )
}

type Result = ReturnType<typeof drillResult>

function Withheld({ why, courseSlug }: { why: NonNullable<DrillView['withheld']>; courseSlug: string }) {
  return (
    <Notice tone="info" className="mt-6">
      <p>{copy[`result.withheld.${why}`]}</p>
      <p className="mt-3">
        <ButtonLink to={paths.course(courseSlug)} look="secondary">
          {copy[`result.withheld.${why}.do`]}
        </ButtonLink>
      </p>
    </Notice>
  )
}

function DomainScores({ domains }: Pick<Result, 'domains'>) {
  return (
    <section aria-labelledby="domains-heading" className="mt-10">
      <h2 id="domains-heading" className="text-xl font-semibold">
        {copy['result.by-domain']}
      </h2>
      <table className="mt-3 w-full max-w-read text-left">
        <thead className="sr-only">
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          {domains.map(({ domain, right, total }) => (
            <tr key={domain} className="border-b border-line">
              <th scope="row" className="py-2 pr-4 font-normal">
                {domain}
              </th>
              <td className="nums py-2 text-right whitespace-nowrap">
                {right} of {total}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The missed questions with their answer keys and explanations. */
export function MissedQuestions({
  missed,
  renderExplanation,
}: Pick<Result, 'missed'> & { renderExplanation: ExplanationSlot }) {
  return (
    <section aria-labelledby="missed-heading" className="mt-10">
      <h2 id="missed-heading" className="text-xl font-semibold">
        {copy['result.missed']}
      </h2>
      {missed.length === 0 ? <p className="mt-2 text-soft">{copy['result.missed.none']}</p> : null}
      <AnsweredQuestions answered={missed} renderExplanation={renderExplanation} />
    </section>
  )
}

/** Questions with the answers given, their keys and explanations. */
export function AnsweredQuestions({
  answered,
  renderExplanation,
}: {
  answered: readonly DrillQuestion[]
  renderExplanation: ExplanationSlot
}) {
  return (
    <ol className="mt-3 divide-y divide-line border-y border-line">
      {answered.map(({ place, question, answer, revealed }) => (
        <li key={place} className="py-6">
          <AnswerForm
            question={question}
            answer={answer.answer}
            struck={[]}
            revealed={revealed}
            isDisabled
            onAnswer={() => undefined}
            onStrike={() => undefined}
          />
          {revealed === null ? null : <div className="mt-5">{renderExplanation(revealed, 3)}</div>}
        </li>
      ))}
    </ol>
  )
}

function NextStep({ drill, left }: { drill: DrillView; left: { dueCount: number; unseenCount: number } }) {
  const step = nextStep(left)
  const drillPath = paths.drill(drill.courseSlug)
  const to = { unseen: `${drillPath}?from=unseen`, exam: paths.course(drill.courseSlug) }
  return (
    <section aria-labelledby="next-heading" className="mt-6 rounded-lg border border-line bg-surface p-5 tablet:p-6">
      <h2 id="next-heading" className="text-lg font-semibold">
        {copy['next.title']}
      </h2>
      <p className="nums mt-1 text-soft">
        {fill(copy[`next.${step}.why`], { n: step === 'due' ? left.dueCount : left.unseenCount })}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        {step === 'due' ? (
          <ReviewDue courseSlug={drill.courseSlug} openDrillId={null} look="primary" />
        ) : (
          <ButtonLink to={to[step]}>{copy[`next.${step}`]}</ButtonLink>
        )}
        <ButtonLink to={drillPath} look="secondary">
          {copy['next.another']}
        </ButtonLink>
      </div>
    </section>
  )
}
