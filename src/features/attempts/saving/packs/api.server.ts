import { randomInt } from 'node:crypto'
import { after, DAY_MS } from '../../../../lib/time.ts'
import { requirePerson } from '../../../../platform/context.server.ts'
import { endpoint } from '../../../../platform/endpoint.server.ts'
import { requireAccess } from '../../../access/read.server.ts'
import { findExam, getExamQuestions } from '../../../catalogue/read.server.ts'
import { fail as failCatalogue } from '../../../catalogue/schema.ts'
import { forReview } from '../../../questions/rules.ts'
import { shuffleLayout } from '../../rules.ts'
import { KeptAttempt, OfflineAttempt, Pack, PackPath } from './schema.ts'
import { keepOfflineAttempt, recordPack } from './write.server.ts'

/** Room for the answers of a thousand questions. */
const ANSWERS_LIMIT_BYTES = 1024 * 1024
/** How long an admin, whose access never ends, may keep a pack. */
const ADMIN_DAYS = 1

export function packsApi() {
  return [
    endpoint({
      method: 'GET',
      path: '/api/packs/:examSlug',
      who: 'signed-in',
      about: 'A practice exam with its keys, to practise offline while access runs.',
      params: PackPath,
      reply: Pack,
      async handle({ params }, context) {
        const person = requirePerson(context)
        const now = context.clock.now()
        const exam = await findExam(context.db, params.examSlug)
        if (exam === null) throw failCatalogue('exam.not-found')
        const { until } = await requireAccess(context.db, person, exam.courseId, now)
        const questions = await getExamQuestions(context.db, exam.id)
        const seed = randomInt(2 ** 31)
        await recordPack(context.db, { personId: person.id, examId: exam.id, seed, now })
        const byId = new Map(questions.map((question) => [question.id, forReview(question)]))
        return {
          personId: person.id,
          examId: exam.id,
          examSlug: exam.slug,
          examTitle: exam.title,
          courseSlug: exam.courseSlug,
          courseTitle: exam.courseTitle,
          seed,
          questions: shuffleLayout(seed, questions, 'practice').flatMap((place) => {
            const question = byId.get(place.question)
            if (question === undefined) return []
            const answers = place.answers.flatMap((id) => question.answers.find((answer) => answer.id === id) ?? [])
            return [{ ...question, answers }]
          }),
          accessUntil: (until ?? after(now, ADMIN_DAYS * DAY_MS)).toISOString(),
          now: now.toISOString(),
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/offline-attempts',
      who: 'signed-in',
      about:
        'Keeps what was practised offline with an exam that was given for it, as a finished attempt, graded here. The same id again changes nothing.',
      body: OfflineAttempt,
      reply: KeptAttempt,
      bodyLimitBytes: ANSWERS_LIMIT_BYTES,
      async handle({ body }, context) {
        const person = requirePerson(context)
        await keepOfflineAttempt(context.db, {
          personId: person.id,
          isAdmin: person.role === 'admin',
          attempt: body,
          now: context.clock.now(),
        })
        return { attemptId: body.id }
      },
    }),
  ]
}
