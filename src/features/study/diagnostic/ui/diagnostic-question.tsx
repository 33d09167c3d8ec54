import { useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { ArrowIcon } from '../../../../ui/icons.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Heading, quietLink } from '../../../../ui/page-parts.tsx'
import { AnswerForm } from '../../../questions/types/form-registry.tsx'
import type { Answer } from '../../../questions/types/question-types.schema.ts'
import { copy } from '../diagnostic.copy.ts'
import type { DiagnosticView } from '../diagnostic.schema.ts'
import { TOLD_FROM } from '../diagnostic.ts'
import { StartForm } from './diagnostic-start.tsx'

const FORM_ID = 'diagnostic-form'

type QuestionProps = {
  readonly slug: string
  readonly diagnostic: DiagnosticView
  /** Why the last form changed nothing. */
  readonly problem: string | null
  /** Whether the last form was about a question that had been answered before. */
  readonly wasEarlier: boolean
}

/** The question of a diagnostic that is asked. Its form is posted to the page, with and without scripts. */
export function DiagnosticQuestion(props: QuestionProps) {
  const { slug, diagnostic, wasEarlier } = props
  const { size, answeredCount: n, mostQuestions: most, question } = diagnostic
  const position = fill(copy[size === 'full' ? 'question.position' : 'question.position.short'], { n: n + 1, most })
  return (
    <>
      <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <Heading className="nums text-xl font-semibold">{position}</Heading>
        <p className="text-sm text-soft">{copy['question.keep']}</p>
      </div>
      <progress
        value={n}
        max={most}
        aria-label={fill(copy['question.progress'], { n, most })}
        className="mt-3 block h-1 w-full overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      {wasEarlier ? (
        <Notice tone="info" className="mt-6">
          {copy['question.stale']}
        </Notice>
      ) : null}
      {question === null ? (
        <Notice tone="flag" title={copy['question.gone.title']} className="mt-6">
          <p>{copy['question.gone']}</p>
          <StartForm slug={slug} act="start">
            {copy['question.gone.do']}
          </StartForm>
        </Notice>
      ) : (
        <QuestionForm key={question.place} {...props} asked={question} />
      )}
      <EndNow key={`end-${n}`} slug={slug} diagnostic={diagnostic} />
    </>
  )
}

/** Ends the diagnostic after a look at what that means: the button is folded away, also without scripts. */
function EndNow({ slug, diagnostic: { id, answeredCount: n } }: Pick<QuestionProps, 'slug' | 'diagnostic'>) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <details className="mt-6 border-t border-line pt-3">
      <summary className="min-h-11 py-2.5 text-sm font-semibold text-soft hover:text-ink">{copy['end.title']}</summary>
      <p className="nums max-w-read">
        {n === 0 ? copy['end.none'] : fill(copy['end.confirm'], { n, least: TOLD_FROM })}
      </p>
      <Form method="post" action={paths.diagnostic(slug)} className="mt-3">
        <input type="hidden" name="diagnostic" value={id} />
        <Button type="submit" name="do" value="end" look="secondary" disabled={isBusy}>
          {copy[n === 0 ? 'end.button.none' : 'end.button']}
        </Button>
      </Form>
    </details>
  )
}

function QuestionForm({
  slug,
  diagnostic,
  problem,
  asked: { place, question },
}: QuestionProps & { readonly asked: NonNullable<DiagnosticView['question']> }) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [struck, setStruck] = useState<readonly string[]>([])
  const isBusy = useNavigation().state !== 'idle'
  return (
    // Browsers must not restore what was chosen before: it would count as chosen now.
    <Form id={FORM_ID} method="post" action={paths.diagnostic(slug)} autoComplete="off" className="mt-6">
      {/* The first button is the one that Enter presses. */}
      <button type="submit" name="do" value="answer" aria-label={copy['question.next']} hidden />
      <input type="hidden" name="diagnostic" value={diagnostic.id} />
      <input type="hidden" name="place" value={place} />
      <AnswerForm
        question={question}
        answer={answer}
        struck={struck}
        revealed={null}
        isDisabled={false}
        formId={FORM_ID}
        onAnswer={setAnswer}
        onStrike={(id) => setStruck(struck.includes(id) ? struck.filter((one) => one !== id) : [...struck, id])}
      />
      {problem === null ? null : (
        <p role="alert" className="mt-4 text-sm font-semibold text-bad">
          {problem}
        </p>
      )}
      <p id="unknown-counts" className="mt-6 text-sm text-soft">
        {copy['question.unknown.counts']}
      </p>
      <div className="sticky bottom-0 z-20 -mx-4 mt-3 flex flex-wrap items-center justify-between gap-2 border-t border-line bg-paper px-4 py-3 tablet:mx-0 tablet:px-0">
        <Link to={paths.course(slug)} className={quietLink}>
          {copy['question.leave']}
        </Link>
        <div className="flex gap-2">
          <Button
            type="submit"
            name="do"
            value="unknown"
            look="secondary"
            disabled={isBusy}
            aria-describedby="unknown-counts"
          >
            {copy['question.unknown']}
          </Button>
          <Button type="submit" name="do" value="answer" disabled={isBusy}>
            {copy['question.next']}
            <ArrowIcon />
          </Button>
        </div>
      </div>
    </Form>
  )
}
