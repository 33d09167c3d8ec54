import { data, redirect } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import { answerFromFields } from '../../questions/types/grading-registry.ts'
import { copy } from '../study.copy.ts'
import type { studyApi } from '../study-endpoints.server.ts'
import { DrillPath, fail } from '../study.schema.ts'
import { nextUnanswered } from '../study.ts'
import { DRILL_FIELDS, placeInDrill, readDrillAct, type KeptInDrill } from './posted-drill.ts'

const run = callsOf<typeof studyApi>()

/** The forms of a running drill: check an answer, flag the question, go on, or end the drill. */
export const runningDrillAction = pageAction([], async ({ context, params, url, form, fields }) => {
  requireUserForPage(context.request, url)
  const path = DrillPath.safeParse(params)
  if (!path.success) throw fail('drill.not-found')
  const { drillId } = path.data
  const act = readDrillAct(form[DRILL_FIELDS.act])
  if (act === 'end') {
    const { courseSlug } = await run(context, 'POST', '/api/drills/:drillId/finish', { params: { drillId } })
    throw redirect(paths.runningDrill(courseSlug, drillId), 303)
  }
  const drill = await run(context, 'GET', '/api/drills/:drillId', { params: { drillId } })
  const index = drill.questions.findIndex(({ place }) => String(place) === form[DRILL_FIELDS.place])
  const shown = drill.questions[index]
  if (shown === undefined) throw redirect(paths.runningDrill(drill.courseSlug, drillId), 303)
  const { place } = shown
  if (act === 'next') {
    const next = drill.questions[nextUnanswered(drill.questions, index) ?? -1]
    throw redirect(
      next === undefined ? paths.runningDrill(drill.courseSlug, drillId) : placeInDrill(drill, next.place),
      303,
    )
  }
  const at = { drillId, place: String(place) }
  const answer = shown.answer.isRight === null ? answerFromFields(shown.question, fields) : null
  const kept: KeptInDrill = { place, answer, problem: null }
  if (act === 'flag' || act === 'unflag') {
    const body = { isFlagged: act === 'flag' }
    await run(context, 'PUT', '/api/drills/:drillId/questions/:place/flag', { params: at, body })
    return { kept }
  }
  if (act === 'check' && shown.answer.isRight === null) {
    if (answer === null) return data({ kept: { ...kept, problem: copy['drill.nothing-chosen'] } }, { status: 400 })
    await run(context, 'POST', '/api/drills/:drillId/questions/:place/check', { params: at, body: { answer } })
  }
  throw redirect(placeInDrill(drill, place), 303)
})
