import { z } from 'zod'
import {
  ANSWERS,
  QUESTIONS,
  QUESTIONS_FOR_REVIEW,
  QUESTIONS_FOR_TAKING,
  SHAPES,
} from './registered/registered-schemas.ts'
import { copy } from './parts/answers.copy.ts'

/* A question is a union by interaction. Each type is a folder beside this file (CONTRIBUTING, 'How do I add a type of question'). */

export const Question = z.discriminatedUnion('type', QUESTIONS)
export type Question = z.infer<typeof Question>
export type QuestionType = Question['type']

/** A question before its answer key is due. */
export const QuestionForTaking = z.discriminatedUnion('type', QUESTIONS_FOR_TAKING)
export type QuestionForTaking = z.infer<typeof QuestionForTaking>

/** A question with its answer key and explanation. */
export const QuestionForReview = z.discriminatedUnion('type', QUESTIONS_FOR_REVIEW)
export type QuestionForReview = z.infer<typeof QuestionForReview>

/** What a learner answered. A question without an answer has null. */
export const Answer = z.discriminatedUnion('type', ANSWERS, copy['answer.type'])
export type Answer = z.infer<typeof Answer>

/** The parts of a question in the order that a learner sees, frozen when an attempt or drill starts. It has no answer key. */
export const AnswerShape = z.discriminatedUnion('type', SHAPES)
export type AnswerShape = z.infer<typeof AnswerShape>
