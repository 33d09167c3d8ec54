import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import { PartMark } from '../parts/part-mark.tsx'
import { StrikeButton } from '../parts/strike-button.tsx'
import type { AnswerFormProps } from '../type-form.ts'
import { AreaOverlay, type OverlaidArea } from './area-overlay.tsx'
import { AREA_FIELD, answerWithArea } from './hot-spot-grading.ts'
import { copy } from './hot-spot.copy.ts'
import type { HotSpotForTaking } from './hot-spot.schema.ts'

type Props = AnswerFormProps<'hot-spot'>

/** The picture with its areas, and their names as radio buttons or checkboxes: either one chooses. */
export function HotSpotAnswerForm(props: Props) {
  const { question, answer, revealed, isDisabled, onAnswer } = props
  const id = useId()
  const chosen = answer?.areaIds ?? []
  const isMultiple = question.choiceCount > 1
  const isFixed = revealed !== null || isDisabled
  const choose = (areaId: string) => onAnswer(answerWithArea(question, answer, areaId))
  return (
    <fieldset aria-describedby={`${id}-task`} className="min-w-0">
      <legend className="w-full max-w-read text-lg">
        <Markdown text={question.stem} as="phrasing" />
      </legend>
      <p id={`${id}-task`} className="nums mt-3 text-sm font-semibold text-accent">
        {fill(copy[isMultiple ? 'exam.task.many' : 'exam.task'], { n: question.choiceCount })}
        {isMultiple ? <ChosenCount count={chosen.length} wanted={question.choiceCount} /> : null}
      </p>
      <AreaOverlay
        image={question.image}
        width={question.width}
        height={question.height}
        areas={question.areas.map((area, place) => ({
          ...area,
          letter: letterOfPart(place),
          look: lookOf(props, area.id),
        }))}
        onChoose={isFixed ? null : choose}
      />
      <div className="mt-4 grid gap-2.5 tablet:grid-cols-2">
        {question.areas.map((area, place) => (
          <AreaRow
            key={area.id}
            {...props}
            area={area}
            letter={letterOfPart(place)}
            name={props.formId === undefined ? id : AREA_FIELD}
            isChosen={chosen.includes(area.id)}
            isFixed={isFixed}
            onChoose={() => choose(area.id)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function ChosenCount({ count, wanted }: { count: number; wanted: number }) {
  const isTooMany = count > wanted
  return (
    <span aria-live="polite" className={isTooMany ? 'text-flag' : 'font-normal text-soft'}>
      {', '}
      {fill(copy[isTooMany ? 'exam.chosen.too-many' : 'exam.chosen'], { n: count })}
    </span>
  )
}

function lookOf({ answer, struck, revealed }: Props, areaId: string): OverlaidArea['look'] {
  const isChosen = answer?.areaIds.includes(areaId) === true
  if (revealed?.rightAreaIds.includes(areaId) === true) return 'right'
  if (isChosen) return revealed === null ? 'chosen' : 'wrong'
  return struck.includes(areaId) ? 'struck' : 'open'
}

function AreaRow({
  question,
  struck,
  revealed,
  formId,
  onStrike,
  area,
  letter,
  name,
  isChosen,
  isFixed,
  onChoose,
}: Props & {
  area: HotSpotForTaking['areas'][number]
  letter: string
  name: string
  isChosen: boolean
  isFixed: boolean
  onChoose: () => void
}) {
  const isStruck = struck.includes(area.id)
  const isRight = revealed === null ? null : revealed.rightAreaIds.includes(area.id)
  return (
    <div
      className={`flex items-stretch rounded-md border transition-colors duration-150 ${frameOf(isChosen, isRight)} ${isRight === null ? 'has-checked:border-accent has-checked:bg-accent-soft' : ''}`}
    >
      <label
        className={`flex min-h-12 min-w-0 flex-1 items-start gap-3 px-4 py-2.5 ${isFixed ? '' : 'cursor-pointer'}`}
      >
        <input
          type={question.choiceCount > 1 ? 'checkbox' : 'radio'}
          name={name}
          form={formId}
          value={area.id}
          checked={isChosen}
          disabled={isFixed}
          onChange={onChoose}
          className="mt-1 size-[18px] shrink-0"
        />
        <span aria-hidden="true" className="nums w-4 shrink-0 font-semibold text-soft">
          {letter}
        </span>
        <span className="min-w-0 flex-1">
          <span className={isStruck ? 'text-soft line-through' : ''}>
            <Markdown text={area.text} as="phrasing" />
          </span>
          {isStruck ? <span className="sr-only">(struck out)</span> : null}
          {isRight === null ? null : <PartMark isGiven={isChosen} isRight={isRight} />}
        </span>
      </label>
      {isFixed || onStrike === null ? null : (
        <StrikeButton
          isPressed={isStruck}
          label={fill(copy['exam.strike'], { letter })}
          onClick={() => onStrike(area.id)}
        />
      )}
    </div>
  )
}

function frameOf(isChosen: boolean, isRight: boolean | null): string {
  if (isRight === true) return 'border-good bg-good-soft'
  if (isRight === false && isChosen) return 'border-bad bg-bad-soft'
  if (isChosen) return 'border-accent bg-accent-soft'
  return isRight === null ? 'border-line-strong bg-surface hover:border-accent' : 'border-line bg-surface'
}
