import { upgradeQuestionEdit } from '../../questions/types/question-edit.schema.ts'
import { z } from 'zod'
import type { Db } from '../../../db/open.server.ts'
import { bodyOf, Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { pageLoader, requireAdminForPage } from '../../../platform/http/page-loader.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
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
import { cancelImport, deleteImport, storeUpload, readAgain } from './imports-commands.server.ts'

const QUESTION_LIMIT_BYTES = 2 * 1024 * 1024

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
      mayTakeLong: true,
      who: 'admin',
      about: 'Stores the file, zip or text in the body, at most 50 MB, and starts reading it.',
      limit: 'import',
      query: Upload,
      reply: ImportView,
      async handle({ query }, context) {
        const { request, replyHeaders } = context
        // A refused upload, if only for its declared length, leaves unread bytes on the connection: it must not be reused.
        replyHeaders.set('connection', 'close')
        if (Number(request.headers.get('content-length') ?? 0) > MAX_IMPORT_BYTES) throw fail('import.too-large')
        if (request.body === null) throw fail('import.empty')
        const id = await storeUpload(context.db, { ...query, ...actionBy(context), bytes: bodyOf(request) })
        replyHeaders.delete('connection')
        deps.readSoon(id)
        return getImport(context.db, id)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/imports/:importId',
      who: 'admin',
      about: 'Returns an import with its progress, its counts and the findings about its files.',
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
        await readAgain(context.db, { ...params, ...body, ...actionBy(context) })
        deps.readSoon(params.importId)
        return getImport(context.db, params.importId)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/cancel',
      who: 'admin',
      about: 'Cancels the reading of an import. Idempotent.',
      params: ImportPath,
      reply: ImportView,
      async handle({ params }, context) {
        await cancelImport(context.db, { ...params, ...actionBy(context) })
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
      about:
        'Stores the valid questions of an import, and on request those that need review, at the given destination.',
      params: ImportPath,
      body: StoreImport,
      reply: StoredImport,
      handle: ({ params, body }, context) => storeImport(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/dismiss',
      who: 'admin',
      about: 'Dismisses the questions of an import at the given places, or all refused ones.',
      params: ImportPath,
      body: DismissQuestions,
      reply: z.object({ dismissed: z.int() }),
      handle: async ({ params, body }, context) => ({
        dismissed: await dismissQuestions(context.db, { ...params, ...body, ...actionBy(context) }),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/:importId/questions/:place/correct',
      formerPaths: ['/api/imports/:importId/questions/:place/mend'],
      who: 'admin',
      about:
        'Corrects a question of an import. It is stored with the others: at once if they are stored already, otherwise later.',
      params: ImportedPath,
      body: CorrectQuestion,
      upgradeBody: upgradeQuestionEdit,
      bodyLimitBytes: QUESTION_LIMIT_BYTES,
      reply: CorrectedQuestion,
      handle: ({ params, body }, context) =>
        correctQuestion(context.db, { ...params, edit: body.question, ...actionBy(context) }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/imports/:importId',
      who: 'admin',
      about: 'Deletes an import. Questions stored in the bank stay.',
      params: ImportPath,
      reply: Done,
      async handle({ params }, context) {
        await deleteImport(context.db, { ...params, ...actionBy(context) })
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

/** One import with its progress, and a page of its questions. */
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

/** One question of an import, for the page that corrects it. */
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
