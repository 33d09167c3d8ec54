import type { ChoiceQuestion } from '../../src/features/questions/types/choice/choice.schema.ts'
import type { CaseStudy } from '../../src/features/questions/case-studies/case-study.schema.ts'
import { randomBytes } from 'node:crypto'
import type { Db } from '../../src/db/open.server.ts'
import { addCourse, addExam } from '../../src/features/catalogue/catalogue-commands.server.ts'
import type { CourseId, ExamId } from '../../src/lib/ids.ts'
import { cents } from '../../src/lib/money.ts'

export type BuiltExam = {
  readonly id: ExamId
  readonly slug: string
  readonly courseId: CourseId
  readonly questions: readonly ChoiceQuestion[]
}

/** A question whose first `right` options are right. */
export function aQuestion(
  number: number,
  options: { answers?: number; right?: number; domain?: string } = {},
): ChoiceQuestion {
  const { answers = 4, right = 1, domain = number % 2 === 0 ? 'Even' : 'Odd' } = options
  const id = `q-${number}-${randomBytes(3).toString('hex')}`
  return {
    type: 'choice',
    id,
    stem: `Question number ${number}?`,
    options: Array.from({ length: answers }, (_, index) => ({
      id: `${id}-${index}`,
      text: `Answer ${index} of ${number}`,
      isRight: index < right,
    })),
    explanation: `SECRET-EXPLANATION-${id}`,
    domain,
    needsReview: false,
    url: 'https://docs.example.com/',
    suggestedOptionIds: [],
    mostVotedOptionIds: [],
    difficulty: 'medium',
  }
}

export async function aCourse(
  db: Db,
  options: { title?: string; priceCents?: number } = {},
): Promise<{ id: CourseId; slug: string; title: string }> {
  const title = options.title ?? `Course ${randomBytes(4).toString('hex')}`
  const id = await addCourse(db, {
    title,
    description: 'A course of a test.',
    priceCents: cents(options.priceCents ?? 1999),
    category: 'associate',
    blueprint: null,
    ownerId: null,
    now: new Date(),
  })
  const { slug } = await db.selectFrom('courses').where('id', '=', id).select('slug').executeTakeFirstOrThrow()
  return { id, slug, title }
}

export async function anExam(
  db: Db,
  courseId: CourseId,
  options: {
    questions?: readonly ChoiceQuestion[]
    caseStudies?: readonly CaseStudy[]
    isFreeTrial?: boolean
    timeLimitMinutes?: number
    passingScore?: number
  } = {},
): Promise<BuiltExam> {
  const questions = options.questions ?? [1, 2, 3, 4].map((number) => aQuestion(number))
  const slug = `exam-${randomBytes(5).toString('hex')}`
  const id = await addExam(db, {
    courseId,
    title: `Exam ${slug}`,
    slug,
    questions,
    ...(options.caseStudies === undefined ? {} : { caseStudies: options.caseStudies }),
    passingScore: options.passingScore ?? 70,
    timeLimitMinutes: options.timeLimitMinutes ?? 30,
    isFreeTrial: options.isFreeTrial ?? false,
    position: 1,
    category: null,
    now: new Date(),
  })
  return { id, slug, courseId, questions }
}
