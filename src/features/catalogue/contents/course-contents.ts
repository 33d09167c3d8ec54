import { partTextsOf } from '../../questions/types/content-registry.ts'
import { KIND_WORDS, kindOf, QUESTION_KINDS } from '../../questions/types/check-registry.ts'
import { arranged, forTaking, shuffleShapes } from '../../questions/types/grading-registry.ts'
import type { AnswerShape, Question, QuestionForTaking } from '../../questions/types/question-types.schema.ts'
import type { CountedExams } from './course-contents.schema.ts'

/** The exams of a course with their questions, counted by kind. */
export function countContents(exams: readonly (readonly Question[])[]): CountedExams {
  const questions = exams.flat()
  const kinds = QUESTION_KINDS.map((kind) => ({
    words: KIND_WORDS[kind],
    count: questions.filter((question) => kindOf(question) === kind).length,
  }))
  return { exams: exams.length, questions: questions.length, kinds: kinds.filter(({ count }) => count > 0) }
}

/** Words with marks of Markdown, such as code, a table, a list or a picture. */
const MARKED = /[`|\n]|!\[|\*\*/
/** One order for everybody: stored orders often have the right answer first. */
const SEED = 7

/** The question to try: the shortest in plain words, because a visitor reads it between other things. */
export function chooseSample(questions: readonly Question[]): Question | null {
  const lengthOf = (question: Question) => question.stem.length + partTextsOf(question).join('').length
  const isPlain = (question: Question) => ![question.stem, ...partTextsOf(question)].some((text) => MARKED.test(text))
  // A question of a case study says little without it.
  const alone = questions.filter(({ caseStudy }) => caseStudy === undefined)
  const complete = alone.filter(({ explanation }) => explanation !== '')
  const usual = complete.filter((question) => kindOf(question) === 'single' && isPlain(question))
  const [chosen] = (usual.length > 0 ? usual : alone).toSorted((one, other) => lengthOf(one) - lengthOf(other))
  return chosen ?? null
}

/** The question to try without its answer key, its parts in an order that is the same for everybody. */
export function showSample(question: Question): QuestionForTaking {
  return forTaking(arranged(question, shapeOfSample(question)))
}

/** The order of the parts of the question to try. */
export function shapeOfSample(question: Question): AnswerShape {
  const [shuffled] = shuffleShapes([question], { seed: SEED, shufflesQuestions: false })
  if (shuffled === undefined) throw new Error('the question to try has no shape')
  return shuffled.shape
}
