import { useId } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Markdown } from '../../../../ui/markdown-text.tsx'
import { AnswerOption } from '../parts/answer-option.tsx'
import { letterOfPart } from '../parts/part-letters.ts'
import type { AnswerFormProps } from '../type-form.ts'
import { AreaOverlay, type OverlaidArea } from './area-overlay.tsx'
import { AREA_FIELD, answerWithArea } from './hot-spot-grading.ts'
import { copy } from './hot-spot.copy.ts'
import type { TypeForm } from '../form-registry.tsx'

export const hotSpotForm: TypeForm<'hot-spot'> = {
  Form: HotSpotAnswerForm,
  answerByKey(question, answer, place) {
    const area = question.areas[place]
    return area === undefined ? undefined : answerWithArea(question, answer, area.id)
  },
  struckByKey: ({ areas }, place) => areas[place]?.id ?? null,
}

type Props = AnswerFormProps<'hot-spot'>

/** The picture with its areas, and their names as radio buttons or checkboxes: either one chooses. */
export function HotSpotAnswerForm(props: Props) {
  const { question, answer, struck, revealed, isDisabled, formId, onAnswer, onStrike } = props
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
          <AnswerOption
            key={area.id}
            part={area}
            letter={letterOfPart(place)}
            name={formId === undefined ? id : AREA_FIELD}
            formId={formId}
            isMultiple={isMultiple}
            isSelected={chosen.includes(area.id)}
            isStruck={struck.includes(area.id)}
            isFixed={isFixed}
            isRight={revealed === null ? null : revealed.rightAreaIds.includes(area.id)}
            strikeLabel={fill(copy['exam.strike'], { letter: letterOfPart(place) })}
            onSelect={choose}
            onStrike={onStrike}
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
