import { z } from 'zod'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { shownCaseStudies } from '../../questions/case-studies/case-blocks.ts'
import { getExamCaseStudies, getExamQuestions, listAdminCourses } from '../../catalogue/catalogue-queries.server.ts'
import { CourseFilter, fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { listExportSubjects } from './exports-queries.server.ts'
import { ExportChosen, type Exported, ExportSelection, Losses } from './exports.schema.ts'

type ExportFile = Omit<Exported, 'chunks'> & { readonly body: ReadableStream<Uint8Array> }

/** Exports questions as a download, and reports the losses of the format before. */
export function exportsApi(deps: { readonly write: (selection: ExportSelection) => Promise<ExportFile> }) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exports',
      mayTakeLong: true,
      who: 'admin',
      about: 'Exports courses, exams or questions of an exam, published or drafted, as a file or a zip of files.',
      limit: 'export',
      query: ExportSelection,
      reply: z.custom<Response>(),
      async handle({ query }) {
        const { fileName, contentType, body } = await deps.write(query)
        return new Response(body, {
          headers: {
            'content-type': contentType,
            'content-disposition': `attachment; filename="${fileName}"`,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
          },
        })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/exports/losses',
      mayTakeLong: true,
      who: 'admin',
      about: 'Lists the parts of each question that the format of an export cannot hold.',
      query: ExportSelection,
      reply: Losses,
      async handle({ query }) {
        const { questionCount, losses, body } = await deps.write(query)
        await body.cancel()
        return { questionCount, losses }
      },
    }),
  ]
}

/** The selection, and a page of the courses that can be added to it. */
export const exportLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const chosen = ExportChosen.parse(Object.fromEntries(url.searchParams))
  const { search, page } = chosen
  const [subjects, listed] = await Promise.all([
    listExportSubjects(context.db, chosen),
    listAdminCourses(context.db, CourseFilter.parse({ search, page, sort: 'title' })),
  ])
  if (subjects.length < chosen.course.length + chosen.exam.length) {
    const isExam = subjects.every(({ kind }) => kind === 'course') && chosen.exam.length > 0
    throw failCatalogue(isExam ? 'exam.not-found' : 'course.not-found')
  }
  const known = new Map(subjects.map((subject) => [subject.id, subject]))
  return { subjects: [...known.values()], listed, chosen }
})

/** An exam for printing, or its answer key. */
export const printLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const examId = z.uuid().safeParse(params['examId'])
  if (!examId.success) throw failCatalogue('exam.not-found')
  const exam = await getCurrentExam(context.db, examId.data)
  const questions = await getExamQuestions(context.db, exam.id as ExamId)
  const caseStudies = shownCaseStudies(await getExamCaseStudies(context.db, exam.id as ExamId), questions)
  return { exam, questions, caseStudies, isKey: url.searchParams.get('key') === '1' }
})
