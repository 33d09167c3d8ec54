import { expect, test } from 'vitest'
import { selecting } from '../../../../tests/support/answers.ts'
import { QuestionForReview } from '../../questions/types/question-types.schema.ts'
import { startPractice } from './offline-exams.ts'
import { storedOfflineExam, storedResult } from './stored-offline-exams.ts'

/** As stored by the build before typed questions; an even earlier build called options `answers`. */
const formerQuestion = {
  id: 'q1',
  stem: 'Which?',
  answers: [
    { id: 'a', text: 'This' },
    { id: 'b', text: 'That' },
  ],
  isMultiple: false,
  choiceCount: 1,
  domain: 'General',
  rightAnswerIds: ['a'],
  explanation: '',
  url: '',
  suggestedAnswerIds: [],
  mostVotedAnswerIds: [],
  difficulty: '',
}
const clock = { serverMs: 1, deviceMs: 2, seenMs: 3 }

test('an exam stored by an earlier build is read with typed questions and answers, and one of this build unchanged', () => {
  const practice = { id: 'p', startedAt: 's', checkedAt: 'c', questionId: 'q1', struck: ['b'], checked: ['q1'] }
  const record = {
    pack: { personId: 'u', examSlug: 'exam', questions: [formerQuestion] },
    clock,
    practice: { ...practice, selections: { q1: ['a'], q2: [] } },
  }
  const stored = storedOfflineExam(record)
  expect(stored?.offlineExam.userId).toBe('u')
  expect(QuestionForReview.parse(stored?.offlineExam.questions[0])).toMatchObject({
    type: 'choice',
    rightOptionIds: ['a'],
  })
  expect(stored?.practice).toEqual({ ...practice, answers: { q1: selecting('a'), q2: null } })
  expect(storedOfflineExam(stored)).toEqual(stored)
  expect(storedOfflineExam(undefined)).toBeNull()
})

test('selections that an open page of an earlier build adds to a practice of this build count', () => {
  const offlineExam = { questions: [] } as never
  const begun = startPractice(offlineExam, 'p', new Date(0))
  const practice = { ...begun, answers: { q1: selecting('a'), q2: selecting('b') }, selections: { q1: ['c'] } }
  const stored = storedOfflineExam({ offlineExam, clock, practice })
  expect(stored?.practice).toEqual({ ...begun, answers: { q1: selecting('c'), q2: selecting('b') } })
})

test('a result stored by an earlier build is sent with typed answers', () => {
  const result = storedResult({ personId: 'u', attempt: { id: 'r', answers: { q1: ['a'], q2: [] } } })
  expect(result).toEqual({ userId: 'u', attempt: { id: 'r', answers: { q1: selecting('a'), q2: null } } })
  expect(storedResult(result)).toEqual(result)
})
