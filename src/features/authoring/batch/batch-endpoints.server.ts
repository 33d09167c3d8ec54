import { Done, done, endpoint } from '../../../platform/http/endpoint.server.ts'
import { actionBy } from '../../../platform/audit-log/audit-log-commands.server.ts'
import { ChoiceFilter } from '../../catalogue/course-choices.schema.ts'
import { ExamPath } from '../drafts/drafts.schema.ts'
import { findWords, listDestinations } from './batch-queries.server.ts'
import {
  Destinations,
  FindWordsQuery,
  FormerOrder,
  WordMatches,
  Marked,
  MarkQuestions,
  OrderQuestions,
  PutBack,
  Replaced,
  ReplaceWords,
  SendQuestions,
  Sent,
  RemovedQuestions,
  RemoveQuestions,
  Undone,
  UndoReplacing,
} from './batch.schema.ts'
import {
  markQuestions,
  orderQuestions,
  restoreQuestions,
  sendQuestions,
  removeQuestions,
} from './batch-commands.server.ts'
import { replaceWords, undoReplacing } from './replacing-commands.server.ts'

/** Room for an exam's questions in full. */
const MANY_LIMIT_BYTES = 16 * 1024 * 1024

/** Changes of many questions at once. Each reply holds what its undo needs. */
export function batchApi() {
  return [...placeEndpoints(), ...questionEndpoints(), ...replacementEndpoints()]
}

function placeEndpoints() {
  return [
    endpoint({
      method: 'PUT',
      path: '/api/exams/:examId/draft/order',
      who: 'admin',
      about: 'Moves questions of the draft before another question, or orders all questions.',
      params: ExamPath,
      body: OrderQuestions,
      reply: FormerOrder,
      handle: async ({ params, body }, context) => ({
        former: await orderQuestions(context.db, { ...params, ...body, ...actionBy(context) }),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/send',
      who: 'admin',
      about:
        'Moves questions of the draft, with their keys, or copies them, with new keys, to the draft of another exam.',
      params: ExamPath,
      body: SendQuestions,
      reply: Sent,
      handle: ({ params, body }, context) => sendQuestions(context.db, { ...params, ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/exams/:examId/destinations',
      who: 'admin',
      about:
        'Lists at most 20 exams that can receive the questions: those of the same course, or those that match a search. Counts all matches.',
      params: ExamPath,
      limit: 'search',
      query: ChoiceFilter,
      reply: Destinations,
      handle: ({ params, query }, { db }) => listDestinations(db, { ...params, ...query }),
    }),
  ]
}

function questionEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/mark',
      who: 'admin',
      about: 'Marks or unmarks questions of the draft for review, and returns the changed ones.',
      params: ExamPath,
      body: MarkQuestions,
      reply: Marked,
      handle: async ({ params, body }, context) => ({
        changed: await markQuestions(context.db, { ...params, ...body, ...actionBy(context) }),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/remove',
      formerPaths: ['/api/exams/:examId/draft/take-out'],
      who: 'admin',
      about: 'Removes questions from the draft, and returns them so that they can be restored.',
      params: ExamPath,
      body: RemoveQuestions,
      reply: RemovedQuestions,
      handle: async ({ params, body }, context) => ({
        taken: await removeQuestions(context.db, { ...params, ...body, ...actionBy(context) }),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/exams/:examId/draft/restore',
      formerPaths: ['/api/exams/:examId/draft/put-back'],
      who: 'admin',
      about: 'Restores removed questions to their former places.',
      params: ExamPath,
      body: PutBack,
      bodyLimitBytes: MANY_LIMIT_BYTES,
      reply: Done,
      async handle({ params, body }, context) {
        await restoreQuestions(context.db, { ...params, ...body, ...actionBy(context) })
        return done
      },
    }),
  ]
}

function replacementEndpoints() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/replacements/preview',
      who: 'admin',
      about:
        'Finds words in the questions and case studies of a course or an exam; drafts are searched instead of published versions. Changes nothing.',
      body: FindWordsQuery,
      reply: WordMatches,
      handle: ({ body }, { db }) => findWords(db, body),
    }),
    endpoint({
      method: 'POST',
      path: '/api/replacements',
      who: 'admin',
      about: 'Replaces words in the given questions and case studies, in the drafts of their exams.',
      body: ReplaceWords,
      bodyLimitBytes: MANY_LIMIT_BYTES,
      reply: Replaced,
      handle: ({ body }, context) => replaceWords(context.db, { ...body, ...actionBy(context) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/replacements/undo',
      who: 'admin',
      about: 'Restores the former texts of questions and case studies that have not changed since.',
      body: UndoReplacing,
      bodyLimitBytes: MANY_LIMIT_BYTES,
      reply: Undone,
      handle: ({ body }, context) => undoReplacing(context.db, { ...body, ...actionBy(context) }),
    }),
  ]
}
