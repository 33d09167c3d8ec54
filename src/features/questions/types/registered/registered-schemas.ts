// Written by `npm run map` from the folders of the types.
import { ChoiceQuestion, ChoiceForTaking, ChoiceForReview, ChoiceAnswer, ChoiceShape } from '../choice/choice.schema.ts'
import {
  DropDownQuestion,
  DropDownForTaking,
  DropDownForReview,
  DropDownAnswer,
  DropDownShape,
} from '../drop-down/drop-down.schema.ts'
import {
  HotSpotQuestion,
  HotSpotForTaking,
  HotSpotForReview,
  HotSpotAnswer,
  HotSpotShape,
} from '../hot-spot/hot-spot.schema.ts'
import {
  MatchingQuestion,
  MatchingForTaking,
  MatchingForReview,
  MatchingAnswer,
  MatchingShape,
} from '../matching/matching.schema.ts'
import {
  NumericalQuestion,
  NumericalForTaking,
  NumericalForReview,
  NumericalAnswer,
  NumericalShape,
} from '../numerical/numerical.schema.ts'
import {
  OrderingQuestion,
  OrderingForTaking,
  OrderingForReview,
  OrderingAnswer,
  OrderingShape,
} from '../ordering/ordering.schema.ts'
import {
  ShortAnswerQuestion,
  ShortAnswerForTaking,
  ShortAnswerForReview,
  ShortAnswerAnswer,
  ShortAnswerShape,
} from '../short-answer/short-answer.schema.ts'

export const QUESTIONS = [
  ChoiceQuestion,
  DropDownQuestion,
  HotSpotQuestion,
  MatchingQuestion,
  NumericalQuestion,
  OrderingQuestion,
  ShortAnswerQuestion,
] as const

export const QUESTIONS_FOR_TAKING = [
  ChoiceForTaking,
  DropDownForTaking,
  HotSpotForTaking,
  MatchingForTaking,
  NumericalForTaking,
  OrderingForTaking,
  ShortAnswerForTaking,
] as const

export const QUESTIONS_FOR_REVIEW = [
  ChoiceForReview,
  DropDownForReview,
  HotSpotForReview,
  MatchingForReview,
  NumericalForReview,
  OrderingForReview,
  ShortAnswerForReview,
] as const

export const ANSWERS = [
  ChoiceAnswer,
  DropDownAnswer,
  HotSpotAnswer,
  MatchingAnswer,
  NumericalAnswer,
  OrderingAnswer,
  ShortAnswerAnswer,
] as const

export const SHAPES = [
  ChoiceShape,
  DropDownShape,
  HotSpotShape,
  MatchingShape,
  NumericalShape,
  OrderingShape,
  ShortAnswerShape,
] as const
