import { z } from 'zod'
import { ChoiceAnswer, ChoiceForReview, ChoiceForTaking, ChoiceQuestion, ChoiceShape } from './choice/choice.schema.ts'
import {
  HotSpotAnswer,
  HotSpotForReview,
  HotSpotForTaking,
  HotSpotQuestion,
  HotSpotShape,
} from './hot-spot/hot-spot.schema.ts'
import {
  MatchingAnswer,
  MatchingForReview,
  MatchingForTaking,
  MatchingQuestion,
  MatchingShape,
} from './matching/matching.schema.ts'
import {
  NumericalAnswer,
  NumericalForReview,
  NumericalForTaking,
  NumericalQuestion,
  NumericalShape,
} from './numerical/numerical.schema.ts'
import {
  DropDownAnswer,
  DropDownForReview,
  DropDownForTaking,
  DropDownQuestion,
  DropDownShape,
} from './drop-down/drop-down.schema.ts'
import {
  OrderingAnswer,
  OrderingForReview,
  OrderingForTaking,
  OrderingQuestion,
  OrderingShape,
} from './ordering/ordering.schema.ts'
import {
  ShortAnswerAnswer,
  ShortAnswerForReview,
  ShortAnswerForTaking,
  ShortAnswerQuestion,
  ShortAnswerShape,
} from './short-answer/short-answer.schema.ts'

/*
 * A question is a union by interaction. Each type is a folder beside this file; a new one adds its schemas to the five unions
 * below and its functions to the registries (CONTRIBUTING, 'How do I add a type of question').
 */

export const Question = z.discriminatedUnion('type', [
  ChoiceQuestion,
  NumericalQuestion,
  ShortAnswerQuestion,
  OrderingQuestion,
  MatchingQuestion,
  DropDownQuestion,
  HotSpotQuestion,
])
export type Question = z.infer<typeof Question>
export type QuestionType = Question['type']

/** A question before its answer key is due. */
export const QuestionForTaking = z.discriminatedUnion('type', [
  ChoiceForTaking,
  NumericalForTaking,
  ShortAnswerForTaking,
  OrderingForTaking,
  MatchingForTaking,
  DropDownForTaking,
  HotSpotForTaking,
])
export type QuestionForTaking = z.infer<typeof QuestionForTaking>

/** A question with its answer key and explanation. */
export const QuestionForReview = z.discriminatedUnion('type', [
  ChoiceForReview,
  NumericalForReview,
  ShortAnswerForReview,
  OrderingForReview,
  MatchingForReview,
  DropDownForReview,
  HotSpotForReview,
])
export type QuestionForReview = z.infer<typeof QuestionForReview>

/** What a learner answered. A question without an answer has null. */
export const Answer = z.discriminatedUnion('type', [
  DropDownAnswer,
  ChoiceAnswer,
  NumericalAnswer,
  ShortAnswerAnswer,
  OrderingAnswer,
  MatchingAnswer,
  HotSpotAnswer,
])
export type Answer = z.infer<typeof Answer>

/** The parts of a question in the order that a learner sees, frozen when an attempt or drill starts. It has no answer key. */
export const AnswerShape = z.discriminatedUnion('type', [
  DropDownShape,
  ChoiceShape,
  NumericalShape,
  ShortAnswerShape,
  OrderingShape,
  MatchingShape,
  HotSpotShape,
])
export type AnswerShape = z.infer<typeof AnswerShape>
