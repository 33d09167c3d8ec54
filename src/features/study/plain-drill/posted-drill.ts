import { paths } from '../../../lib/paths.ts'
import type { Answer } from '../../questions/types/question-types.schema.ts'
import type { DrillView } from '../study.schema.ts'

export const DRILL_FORM_ID = 'drill-form'

/** The names of the fields that the form has, besides those of the question's type. */
export const DRILL_FIELDS = { act: 'do', place: 'place' } as const

const ACTS = ['check', 'flag', 'unflag', 'next', 'end'] as const
/** What a button of the form asks for. */
export type DrillAct = (typeof ACTS)[number]

/** An unknown act only shows the question again. */
export function readDrillAct(value: string | undefined): DrillAct | null {
  return ACTS.find((act) => act === value) ?? null
}

/** For a button of a running drill: what it asks of the server where no script handles its press. */
export function asksDrill(act: DrillAct) {
  return { type: 'submit', name: DRILL_FIELDS.act, value: act } as const
}

/** The address of one question of a drill. */
export function placeInDrill(drill: Pick<DrillView, 'courseSlug' | 'id'>, place: number): string {
  return `${paths.runningDrill(drill.courseSlug, drill.id)}?at=${place}`
}

/** The question that an address names, if the drill has it and, after its end, if it was answered. */
export function shownPlace({ questions, isFinished }: DrillView, at: string | null): number | null {
  const shown = questions.find(({ place }) => String(place) === at)
  return shown === undefined || (isFinished && shown.answer.isRight === null) ? null : shown.place
}

/** What was posted but is not stored, so that the page shows it again. */
export type KeptInDrill = {
  readonly place: number
  readonly answer: Answer | null
  /** Why nothing was checked. */
  readonly problem: string | null
}
