import { arranged, forReview } from '../../questions/types/grading-registry.ts'
import { randomInt } from 'node:crypto'
import { after, DAY_MS } from '../../../lib/time.ts'
import { requireUser } from '../../../platform/http/request-context.server.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { requireAccess } from '../../access/access-queries.server.ts'
import { blocksOf, shownCaseStudies } from '../../questions/case-studies/case-blocks.ts'
import { findExam, getExamCaseStudies, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { shuffleLayout } from '../attempts.ts'
import { StoredOfflineAttempt, OfflineAttempt, OfflineExam, OfflineExamPath } from './offline-exams.schema.ts'
import { signIssued, storeOfflineAttempt } from './offline-exams-commands.server.ts'
import { recordForEarlierBuilds } from './unsigned-exams-commands.server.ts'

/** Room for the answers of a thousand questions. */
const ANSWERS_LIMIT_BYTES = 1024 * 1024
/** How long an admin, whose access never ends, may store an offline exam. */
const ADMIN_DAYS = 1

export function offlineExamsApi({ secret }: { readonly secret: string }) {
  return [issueEndpoint(secret), storeEndpoint(secret)]
}

function issueEndpoint(secret: string) {
  return endpoint({
    method: 'GET',
    path: '/api/offline-exams/:examSlug',
    mayTakeLong: true,
    formerPaths: ['/api/packs/:examSlug'],
    who: 'signed-in',
    about: 'A practice exam with its keys, to practice offline while access runs.',
    params: OfflineExamPath,
    reply: OfflineExam,
    async handle({ params }, context) {
      const user = requireUser(context)
      const now = context.clock.now()
      const exam = await findExam(context.db, params.examSlug)
      if (exam === null) throw failCatalogue('exam.not-found')
      const { until } = await requireAccess(context.db, user, exam.courseId, now)
      const questions = await getExamQuestions(context.db, exam.id)
      const seed = randomInt(2 ** 31)
      const accessUntil = (until ?? after(now, ADMIN_DAYS * DAY_MS)).toISOString()
      const issued = { userId: user.id, examId: exam.id, seed, issuedAt: now.toISOString(), until: accessUntil }
      await recordForEarlierBuilds(context.db, issued, now)
      const caseStudies = await getExamCaseStudies(context.db, exam.id)
      const byId = new Map(questions.map((question) => [question.id, question]))
      return {
        userId: user.id,
        examId: exam.id,
        examSlug: exam.slug,
        examTitle: exam.title,
        courseSlug: exam.courseSlug,
        courseTitle: exam.courseTitle,
        seed,
        questions: shuffleLayout(seed, questions, 'practice').flatMap((place) => {
          const question = byId.get(place.question)
          if (question === undefined) return []
          return [forReview(arranged(question, place.shape))]
        }),
        caseStudies: shownCaseStudies(caseStudies, blocksOf(questions).flat()),
        accessUntil,
        now: issued.issuedAt,
        signature: signIssued(issued, secret),
      }
    },
  })
}

function storeEndpoint(secret: string) {
  return endpoint({
    method: 'POST',
    path: '/api/offline-attempts',
    who: 'signed-in',
    about:
      'Keeps what was practiced offline, with the signature of the exam that was issued for it, as a finished attempt, graded here. The same id again changes nothing.',
    body: OfflineAttempt,
    reply: StoredOfflineAttempt,
    bodyLimitBytes: ANSWERS_LIMIT_BYTES,
    async handle({ body }, context) {
      const user = requireUser(context)
      await storeOfflineAttempt(context.db, {
        userId: user.id,
        isAdmin: user.role === 'admin',
        attempt: body,
        secret,
        now: context.clock.now(),
      })
      return { attemptId: body.id }
    },
  })
}
