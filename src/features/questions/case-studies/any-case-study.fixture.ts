import * as fc from 'fast-check'
import { anyQuestion, anyText } from '../any-question.fixture.ts'
import type { Question } from '../types/question-types.schema.ts'
import { readCaseStudy } from './case-studies.ts'
import type { CaseStudy } from './case-study.schema.ts'

const anyName = fc.oneof(
  fc.constantFrom('Overview', 'Explanation', 'Ends like an id {#a1b2}', '# x', 'title: y', '### z'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** Any case study that the bank accepts, as the bank stores it. */
export const anyCaseStudy: fc.Arbitrary<CaseStudy> = fc
  .record({
    id: fc.string({ unit: fc.constantFrom('a', 'B', '0', '-'), maxLength: 12 }).map((end) => `c${end}`),
    title: anyName,
    tabs: fc.array(
      fc.record({
        id: fc.option(fc.constantFrom('t1', 't2', 't3'), { nil: undefined }),
        title: anyName,
        body: anyText,
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map((given) => readCaseStudy(given, () => undefined))
  .filter((read) => read !== null)

/** Questions of which two to four belong to a case study, with others around them. */
export const anyExamWithCaseStudy: fc.Arbitrary<{ caseStudy: CaseStudy; questions: Question[] }> = fc
  .tuple(
    anyCaseStudy,
    fc.uniqueArray(anyQuestion, { selector: ({ id }) => id, minLength: 2, maxLength: 6 }),
    fc.nat(),
    fc.nat(),
  )
  .map(([caseStudy, questions, from, more]) => {
    const count = 2 + (more % (questions.length - 1))
    const first = from % (questions.length - count + 1)
    const isOwn = (place: number) => place >= first && place < first + count
    return {
      caseStudy,
      questions: questions.map((question, place) =>
        isOwn(place) ? { ...question, caseStudy: caseStudy.id } : question,
      ),
    }
  })
