import { redirect } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { callsOf, pageAction } from '../../../platform/http/page-action.server.ts'
import { requireUserForPage } from '../../../platform/http/page-loader.server.ts'
import type { mockExamsApi } from '../mock-exams/mock-exams-endpoints.server.ts'
import type { studyApi } from '../study-endpoints.server.ts'
import { DUE_FILTERS } from '../study.ts'
import { customFilters, drillFilters, FILTER_FIELDS, postedFilters } from './question-filters.ts'

const runStudy = callsOf<typeof studyApi>()
const runMocks = callsOf<typeof mockExamsApi>()

/** The form of the page: starts a drill or a custom exam and goes to it. A browser without scripts can also ask how many questions fit. */
export const questionFilterAction = pageAction(FILTER_FIELDS, async ({ context, params, url, form }) => {
  requireUserForPage(context.request, url)
  // The page counts what fits from the form that it shows again.
  if (form['do'] === 'count') return { typed: form }
  const typed = postedFilters(form['do'] === 'due' ? { ...form, kind: 'drill' } : form)
  const open = form[`replaces.${typed.kind}`]
  const start = {
    courseSlug: params['courseSlug'] ?? '',
    ...(open === undefined || open === '' ? {} : { replaces: open }),
  }
  if (typed.kind === 'custom') {
    const body = { ...start, kind: 'custom' as const, custom: customFilters(typed) }
    const { courseSlug, attemptId } = await runMocks(context, 'POST', '/api/mock-exams', { body })
    throw redirect(paths.runningMock(courseSlug, attemptId), 303)
  }
  const body = { ...start, filters: form['do'] === 'due' ? DUE_FILTERS : drillFilters(typed) }
  const { courseSlug, id } = await runStudy(context, 'POST', '/api/drills', { body })
  throw redirect(paths.runningDrill(courseSlug, id), 303)
})
