import { renamedWithin } from '../../../lib/former-names.ts'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { requireAdmin, type RequestContext } from '../../../platform/http/request-context.server.ts'
import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import {
  findNextRefused,
  getImport,
  getImported,
  listImported,
  listImports,
  listLost,
} from './imports-queries.server.ts'
import { findCourseChoice, findExamChoice, hasCourses } from '../../catalogue/course-choices-queries.server.ts'
import { MAX_IMPORT_BYTES } from './imports.ts'
import {
  type ImportDestination,
  DismissQuestions,
  fail,
  ImportedPath,
  ImportedQuestionFilter,
  ImportPath,
  ImportView,
  CorrectQuestion,
  CorrectedQuestion,
  ReadAgain,
  StoreImport,
  StoredImport,
  Upload,
} from './imports.schema.ts'
import { correctQuestion, dismissQuestions } from '../storing/correct-question-commands.server.ts'
import { storeImport } from '../storing/store-import-commands.server.ts'
import { callOff, deleteImport, storeUpload, readAgain } from './imports-commands.server.ts'

const QUESTION_LIMIT_BYTES = 2 * 1024 * 1024

const by = (context: RequestContext) => ({ actorId: requireAdmin(context).id, now: context.clock.now() })

type ImportDeps = {
  /** Starts reading an import in the background. */
  readonly readSoon: (importId: string) => void
}

/** A file is uploaded, read without storing anything, reviewed, and then stored in exams. */
export function importsApi(deps: ImportDeps) {
  return [...fileEndpoints(deps), ...questionEndpoints()]
}

function fileEndpoints(deps: ImportDeps) {
  return [
    endpoint({
      method: 'POST',
      path: '/api/imports',
      who: 'admin',
      about: 'Keeps a file, a zip or a text as the body of the call, at most 50 MB, and begins to read it.',
      query: Upload,
      reply: ImportView,
      async handle({ query }, context) {
        const { request, replyHeaders } = context
        // What is refused before it has all arrived leaves its connection in the middle: nobody may go on with it.
        replyHeaders.set('connection', 'close')
        // Said before anything arrives, where the sender says how much it will be.
        if (Number(request.headers.get('content-length') ?? 0) > MAX_IMPORT_BYTES) throw fail('import.too-large')
        if (request.body === null) throw fail('import.empty')
        const bytes = request.body as unknown as AsyncIterable<Uint8Array>
        const id = await storeUpload(context.db, { ...query, ...by(context), bytes })
        replyHeaders.delete('connection')
        deps.readSoon(id)
        return getImport(context.db, id)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/imports/:importId',
      who: 'admin',
      about: 'An import: how far it is, what was counted, what was found about its files.',
      params: ImportPath,
      reply: ImportView,
      handle: ({ params }, { db }) => getImport(db, params.importId),
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/read',
      who: 'admin',
      about: 'Reads an import again, as another format or with other columns.',
      params: ImportPath,
      body: ReadAgain,
      reply: ImportView,
      async handle({ params, body }, context) {
        await readAgain(context.db, { ...params, ...body, ...by(context) })
        deps.readSoon(params.importId)
        return getImport(context.db, params.importId)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/cancel',
      who: 'admin',
      about: 'Calls off the reading of an import. Twice is once.',
      params: ImportPath,
      reply: ImportView,
      async handle({ params }, context) {
        await callOff(context.db, { ...params, ...by(context) })
        return getImport(context.db, params.importId)
      },
    }),
  ]
}

function questionEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/store',
      who: 'admin',
      about: 'Puts the good questions of an import, and those for review when wanted, where the body says.',
      params: ImportPath,
      body: StoreImport,
      reply: StoredImport,
      handle: ({ params, body }, context) => storeImport(context.db, { ...params, ...body, ...by(context) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/dismiss',
      who: 'admin',
      about: 'Says that questions shall not go in: those named by place, or all that are refused.',
      params: ImportPath,
      body: DismissQuestions,
      reply: z.object({ dismissed: z.int() }),
      handle: async ({ params, body }, context) => ({
        dismissed: await dismissQuestions(context.db, { ...params, ...body, ...by(context) }),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/questions/:place/correct',
      formerPaths: ['/api/imports/:importId/questions/:place/mend'],
      who: 'admin',
      about: 'Mends a question of an import; it goes where the others went, or with them.',
      params: ImportedPath,
      body: CorrectQuestion,
      upgradeBody: (body) => renamedWithin(body, 'question', { answers: 'options' }),
      bodyLimitBytes: QUESTION_LIMIT_BYTES,
      reply: CorrectedQuestion,
      handle: ({ params, body }, context) =>
        correctQuestion(context.db, { ...params, edit: body.question, ...by(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/imports/:importId',
      who: 'admin',
      about: 'Deletes an import; what went into the bank stays.',
      params: ImportPath,
      reply: Done,
      async handle({ params }, context) {
        await deleteImport(context.db, { ...params, ...by(context) })
        return done
      },
    }),
  ]
}

const ImportListFilter = z.object({ page: z.coerce.number().int().min(1).max(10_000).catch(1) })

export const importsLoader = pageLoader(async ({ context, url }) => {
  requireAdminForPage(context, url)
  const wanted = ImportListFilter.parse(Object.fromEntries(url.searchParams))
  return { ...(await listImports(context.db, wanted)), page: wanted.page }
})

/** The course or exam from whose page an import was begun. */
const From = z.object({ course: z.uuid().optional().catch(undefined), exam: z.uuid().optional().catch(undefined) })

async function findBegun(db: Db, { course, exam }: z.output<typeof From>): Promise<ImportDestination> {
  const found = exam === undefined ? null : await findExamChoice(db, exam)
  if (found !== null) return found
  return { course: course === undefined ? null : await findCourseChoice(db, course), exam: null }
}

/** One import: how far it is, and a page of its questions. */
export const importRecordLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = ImportPath.safeParse(params)
  if (!path.success) throw fail('import.missing')
  const { importId } = path.data
  const wanted = ImportedQuestionFilter.parse(Object.fromEntries(url.searchParams))
  const from = From.parse(Object.fromEntries(url.searchParams))
  const [view, list, lost, begun, isAnyCourse] = await Promise.all([
    getImport(context.db, importId),
    listImported(context.db, importId, wanted),
    listLost(context.db, importId),
    findBegun(context.db, from),
    hasCourses(context.db),
  ])
  return { view, list, lost, begun, isAnyCourse, wanted }
})

/** A question that was refused or is for review, in the form of whoever mends it. */
export const correctQuestionLoader = pageLoader(async ({ context, params, url }) => {
  requireAdminForPage(context, url)
  const path = ImportedPath.safeParse(params)
  if (!path.success) throw fail('import.question-missing')
  const [view, read, next] = await Promise.all([
    getImport(context.db, path.data.importId),
    getImported(context.db, path.data),
    findNextRefused(context.db, path.data),
  ])
  return { importId: view.id, name: view.name, target: view.target, read, next }
})
