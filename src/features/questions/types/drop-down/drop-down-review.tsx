import { fill } from '../../../../lib/failure.ts'
import { plainText } from '../../../../lib/markdown.ts'
import { CheckIcon, CrossIcon } from '../../../../ui/icons.tsx'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { PartMark } from '../parts/part-mark.tsx'
import type { AnswerReviewProps } from '../type-form.ts'
import { pickOf } from './drop-down-grading.ts'
import { copy } from './drop-down.copy.ts'
import type { DropDownAnswer, DropDownForReview, DropDownForTaking } from './drop-down.schema.ts'
import type { TypeReview } from '../review-registry.tsx'

export const dropDownReview: TypeReview<'drop-down'> = {
  Stem: DropDownStem,
  Parts: DropDownReview,
  Opinions: () => null,
  answerLabel: pickedLabels,
}

type Shown = DropDownForTaking | DropDownForReview

/** A choice as a select shows it, which holds no markup. What consists of marks alone stays, such as `*` in a policy. */
export function labelOfOption(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9 ,:/()-]*$/.test(text)) return text
  return plainText(text) || text
}

/** A choice where there is room for its markup. */
export function OptionText({ text }: { text: string }) {
  return plainText(text) === '' ? <span>{text}</span> : <Markdown text={text} as="phrasing" />
}

/** The stem with the learner's choice in each gap, and the right one where the question holds its answer key. */
export function DropDownStem({
  question,
  answer,
  className,
}: AnswerReviewProps<'drop-down'> & { readonly className: string }) {
  return (
    <Markdown
      text={question.stem}
      className={className}
      renderGap={(number) => <GapVerdict question={question} answer={answer} number={number} />}
    />
  )
}

/** What stands in a gap, with words for whose it is and an icon for whether it is right. */
export function GapVerdict({
  question,
  answer,
  number,
}: {
  question: Shown
  answer: DropDownAnswer | null
  number: number
}) {
  const gap = question.gaps[number - 1]
  if (gap === undefined) return null
  const picked = pickOf(answer, gap.id)
  const rightId = 'rightIds' in question ? question.rightIds[number - 1] : undefined
  const textOf = (id: string | null | undefined) => {
    const option = gap.options.find((one) => one.id === id)
    return option === undefined ? copy['review.blank'] : labelOfOption(option.text)
  }
  const isRight = rightId === undefined ? null : picked === rightId
  return (
    <span className="my-0.5 inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1 align-middle font-sans text-base">
      <span className="nums sr-only">{fill(copy['exam.gap'], { n: number })}: </span>
      <Chosen
        words={fill(copy[isRight === true ? 'review.both' : 'review.yours'], { text: textOf(picked) })}
        isRight={isRight}
      />
      {isRight === false ? <Chosen words={fill(copy['review.right'], { text: textOf(rightId) })} isRight /> : null}
    </span>
  )
}

function Chosen({ words, isRight }: { words: string; isRight: boolean | null }) {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1.5 rounded-md border px-2 py-0.5 text-sm font-semibold wrap-anywhere ${toneOf(isRight)}`}
    >
      {isRight === null ? null : isRight ? <CheckIcon /> : <CrossIcon />}
      {words}
    </span>
  )
}

function toneOf(isRight: boolean | null): string {
  if (isRight === null) return 'border-line-strong bg-surface text-ink'
  return isRight ? 'border-good bg-good-soft text-good' : 'border-bad bg-bad-soft text-bad'
}

/** Below the text: the list of each gap with the given and the right choice marked. */
export function DropDownReview({ question, answer }: AnswerReviewProps<'drop-down'>) {
  return <GapLists question={question} answer={answer} />
}

export function GapLists({ question, answer }: { question: Shown; answer: DropDownAnswer | null }) {
  return (
    <div className="mt-5 grid max-w-read gap-4 tablet:grid-cols-2">
      {question.gaps.map((gap, at) => {
        const picked = pickOf(answer, gap.id)
        const rightId = 'rightIds' in question ? question.rightIds[at] : undefined
        return (
          <div key={gap.id} className="min-w-0">
            <p className="nums text-sm font-semibold text-soft">{fill(copy['exam.gap'], { n: at + 1 })}</p>
            <ul className="mt-2 space-y-2">
              {gap.options.map(({ id, text }) => (
                <li key={id} className={`rounded-md border px-3 py-2 ${frameOf(id, picked, rightId)}`}>
                  <OptionText text={text} />
                  <PartMark isGiven={id === picked} isRight={rightId === undefined ? null : id === rightId} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </div>
  )
}

function frameOf(id: string, picked: string | null, rightId: string | undefined): string {
  if (rightId !== undefined && id === rightId) return 'border-good bg-good-soft'
  return rightId !== undefined && id === picked ? 'border-bad bg-bad-soft' : 'border-line'
}

/** What was chosen, gap by gap: '1: KMS, 2: S3'. */
export function pickedLabels({ gaps }: Shown, answer: DropDownAnswer): string {
  return gaps
    .flatMap(({ id, options }, at) => {
      const option = options.find((one) => one.id === pickOf(answer, id))
      return option === undefined ? [] : [`${at + 1}: ${labelOfOption(option.text)}`]
    })
    .join(', ')
}
