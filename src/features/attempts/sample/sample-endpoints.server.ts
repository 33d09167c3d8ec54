import { shapeOfSample } from '../../catalogue/contents/course-contents.ts'
import { courseContents } from '../../catalogue/contents/course-contents-queries.server.ts'
import { examFacts, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { answerProblem, arranged, forReview, isRight } from '../../questions/types/grading-registry.ts'
import { endpoint } from '../../../platform/http/endpoint.server.ts'
import { trialOf } from '../attempts.ts'
import { fail as failAttempt } from '../attempts.schema.ts'
import { CheckedSample, CheckSample, fail, SamplePath } from './sample.schema.ts'

export function sampleApi() {
  return [
    endpoint({
      method: 'POST',
      path: '/api/samples/:examSlug/check',
      who: 'anyone',
      about:
        'Grades an answer to the question that the course page shows to try, and returns its answer key. Free trials only; nothing is stored.',
      params: SamplePath,
      body: CheckSample,
      reply: CheckedSample,
      async handle({ params, body }, { db, cachedQueries }) {
        const exam = await cachedQueries.get(examFacts, db, params.examSlug.toLowerCase())
        if (exam === null) throw fail('sample.changed')
        const trial = trialOf(exam)
        if (trial === null) throw failAttempt('attempt.not-a-trial')
        const { sample } = await cachedQueries.get(courseContents, db, exam.courseId)
        if (sample?.examSlug !== exam.slug || sample.question.id !== body.questionId) throw fail('sample.changed')
        const question = (await getExamQuestions(db, trial.examId)).find(({ id }) => id === body.questionId)
        if (question === undefined) throw fail('sample.changed')
        const shape = shapeOfSample(question)
        if (answerProblem(shape, body.answer) !== null) throw failAttempt('attempt.unknown-answer')
        return { isRight: isRight(question, body.answer), question: forReview(arranged(question, shape)) }
      },
    }),
  ]
}
