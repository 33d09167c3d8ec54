import { z } from 'zod'
import { endpoint } from '../../../platform/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/page-loader.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { getCurrentExam } from '../../catalogue/drafts/read.server.ts'
import { getExamQuestions } from '../../catalogue/read.server.ts'
import { fail as failCatalogue } from '../../catalogue/schema.ts'
import { getExportSubject } from './read.server.ts'
import { type Exported, ExportFormat, ExportWanted, Losses } from './schema.ts'

type Written = Omit<Exported, 'chunks'> & { readonly body: ReadableStream<Uint8Array> }

/** How questions leave: as a download, and before it what the format can't carry. */
export function exportsApi(deps: { readonly write: (wanted: ExportWanted) => Promise<Written> }) {
  return [
    endpoint({
      method: 'GET',
      path: '/api/exports',
      who: 'admin',
      about: 'A course, an exam or some of its questions as a file, or as a zip of several.',
      query: ExportWanted,
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
      who: 'admin',
      about: 'What an export can not carry, by question.',
      query: ExportWanted,
      reply: Losses,
      async handle({ query }) {
        const { questionCount, losses, body } = await deps.write(query)
        await body.cancel()
        return { questionCount, losses }
      },
    }),
  ]
}

const Subject = z.object({
  course: z.uuid().optional().catch(undefined),
  exam: z.uuid().optional().catch(undefined),
  questions: z.string().max(100_000).catch(''),
  format: ExportFormat.catch('json'),
})

export const exportLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const asked = Subject.parse(Object.fromEntries(url.searchParams))
  if (asked.course === undefined && asked.exam === undefined) throw failCatalogue('course.not-found')
  return { subject: await getExportSubject(context.db, asked), questions: asked.questions, format: asked.format }
})

/** An exam on paper, or its key. */
export const printLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const examId = z.uuid().safeParse(params['examId'])
  if (!examId.success) throw failCatalogue('exam.not-found')
  const exam = await getCurrentExam(context.db, examId.data)
  const questions = await getExamQuestions(context.db, exam.id as ExamId)
  return { exam, questions, isKey: url.searchParams.get('key') === '1' }
})
