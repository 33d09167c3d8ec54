import { useState } from 'react'
import { Link } from 'react-router'
import { AnswerForm } from '../../questions/types/form-registry.tsx'
import { isComplete } from '../../questions/types/grading-registry.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import type { Sample } from '../../catalogue/contents/course-contents.schema.ts'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { takeFocus } from '../../../ui/take-focus.ts'
import { useMutation } from '../../../ui/use-mutation.ts'
import { useIsLive } from '../../../ui/when-seen.tsx'
import { Explanation } from '../exam-screen/ui/explanation.tsx'
import { Verdict } from '../exam-screen/ui/checked-answer.tsx'
import { checkSample } from './sample-client.ts'
import { copy } from './sample.copy.ts'
import type { CheckedSample } from './sample.schema.ts'

type Props = { readonly courseSlug: string; readonly courseTitle: string; readonly sample: Sample }

/** A question of a free trial with the controls to answer it. The server grades the answer and then sends the answer key. */
export default function SampleQuestion(props: Props) {
  // Another question begins anew.
  return <OneQuestion key={props.sample.question.id} {...props} />
}

function OneQuestion({ courseSlug, courseTitle, sample: { examSlug, questionCount, question } }: Props) {
  const isLive = useIsLive()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [checked, setChecked] = useState<CheckedSample | null>(null)
  const check = useMutation((given: Answer) => checkSample(examSlug, question.id, given), {
    onSuccess: setChecked,
  })
  const isReady = answer !== null && isComplete(question, answer)
  const hasEnded = checked !== null || check.failure !== null
  return (
    <div>
      <p className="text-sm text-soft">{fill(copy['sample.from'], { course: courseTitle })}</p>
      <div className="mt-3">
        <AnswerForm
          question={checked?.question ?? question}
          answer={answer}
          struck={[]}
          revealed={checked?.question ?? null}
          isDisabled={!isLive}
          onAnswer={setAnswer}
          onStrike={null}
        />
      </div>
      {checked === null ? null : (
        // The pressed button disappears; the verdict is what comes next.
        <div ref={takeFocus} tabIndex={-1} className="mt-5 border-t border-line pt-4 focus:outline-none">
          <Verdict isRight={checked.isRight} />
          <div className="mt-3">
            <Explanation question={checked.question} level={3} />
          </div>
        </div>
      )}
      {check.failure === null ? null : (
        <p role="alert" className="mt-4 text-sm text-bad">
          {messageOf(check.failure)}
        </p>
      )}
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        {checked === null ? (
          <Button {...check.button} disabled={!isReady} onClick={() => answer !== null && check.run(answer)}>
            {check.isBusy ? copy['sample.checking'] : copy['sample.check']}
          </Button>
        ) : null}
        <GoOn courseSlug={courseSlug} examSlug={examSlug} count={hasEnded ? questionCount : null} />
      </div>
    </div>
  )
}

/** The way to the free trial. @param count how many questions it has, once this one has ended; until then the way is for those without scripts */
function GoOn({ courseSlug, examSlug, count }: { courseSlug: string; examSlug: string; count: number | null }) {
  const to = paths.examMode(courseSlug, examSlug, 'preview')
  if (count === null)
    return (
      <>
        <p className="text-sm text-soft scriptless:hidden">{copy['sample.promise']}</p>
        <p className="hidden text-sm text-soft scriptless:block">
          {copy['sample.scripts']}{' '}
          <Link to={to} className="font-semibold text-accent underline">
            {copy['sample.go-on']}
          </Link>
        </p>
      </>
    )
  return (
    <>
      <ButtonLink to={to}>{copy['sample.go-on']}</ButtonLink>
      <p className="nums text-sm text-soft">{fill(copy['sample.go-on.count'], { n: count })}</p>
    </>
  )
}
