import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { replicaPageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { shownCaseStudies } from '../../questions/case-studies/case-blocks.ts'
import { getExamCaseStudies, getExamQuestions, listAdminCourses } from '../../catalogue/catalogue-queries.server.ts'
import { CourseFilter, fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { listExportSubjects } from './exports-queries.server.ts'
import { ExportChosen, type Exported, ExportSelection, Losses } from './exports.schema.ts'

type ExportFile = Omit<Exported, 'chunks'> & { readonly body: ReadableStream<Uint8Array> }

/** Exports questions as a download, and reports the losses of the format before. */
export function exportsApi(deps: { readonly write: (selection: ExportSelection, from: Db) => Promise<ExportFile> }) {
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
      reads: 'replica',
      async handle({ query }, { reads }) {
        const { fileName, contentType, body } = await deps.write(query, reads)
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
      reads: 'replica',
      async handle({ query }, { reads }) {
        const { questionCount, losses, body } = await deps.write(query, reads)
        await body.cancel()
        return { questionCount, losses }
      },
    }),
  ]
}

/** The selection, and a page of the courses that can be added to it. */
export const exportLoader = replicaPageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const chosen = ExportChosen.parse(Object.fromEntries(url.searchParams))
  const { search, page } = chosen
  const [subjects, listed] = await Promise.all([
    listExportSubjects(context.reads, chosen),
    listAdminCourses(context.reads, CourseFilter.parse({ search, page, sort: 'title' })),
  ])
  if (subjects.length < chosen.course.length + chosen.exam.length) {
    const isExam = subjects.every(({ kind }) => kind === 'course') && chosen.exam.length > 0
    throw failCatalogue(isExam ? 'exam.not-found' : 'course.not-found')
  }
  const known = new Map(subjects.map((subject) => [subject.id, subject]))
  return { subjects: [...known.values()], listed, chosen }
})

/** An exam for printing, or its answer key. */
export const printLoader = replicaPageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const examId = z.uuid().safeParse(params['examId'])
  if (!examId.success) throw failCatalogue('exam.not-found')
  const exam = await getCurrentExam(context.reads, examId.data)
  const questions = await getExamQuestions(context.reads, exam.id as ExamId)
  const caseStudies = shownCaseStudies(await getExamCaseStudies(context.reads, exam.id as ExamId), questions)
  return { exam, questions, caseStudies, isKey: url.searchParams.get('key') === '1' }
})
