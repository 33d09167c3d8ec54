import type { Db } from '../../../db/open.server.ts'
import { fill } from '../../../lib/failure.ts'
import type { AttemptId } from '../../../lib/ids.ts'
import type { EntitledCourse } from '../../access/access.schema.ts'
import { startDrawnExam, type DrawnExam } from '../../attempts/drawn-exams/drawn-exams-commands.server.ts'
import { fits } from '../study.ts'
import { drawForm } from './draw-form.ts'
import { copy } from './mock-exams.copy.ts'
import { drawMock, getMockBank, seedOf, type MockBank } from './mock-exams-queries.server.ts'
import { factsOf, minutesFor, weightsIn } from './mock-exams.ts'
import { CustomExam, fail, type StartDrawnExam } from './mock-exams.schema.ts'

/**
 * Starts a mock exam or a custom exam from the bank of a course, or returns the open one.
 * @throws Failure custom.nothing-fits, attempt.no-questions
 */
export async function startMockExam(
  db: Db,
  start: Pick<StartDrawnExam, 'kind' | 'custom' | 'replaces'> & { readonly proof: EntitledCourse; readonly now: Date },
): Promise<AttemptId> {
  const { proof, kind, replaces, now } = start
  return startDrawnExam(db, {
    proof,
    kind,
    title: (n) => fill(copy[`title.${kind}`], { n }),
    replaces,
    now,
    async draw(tx, number) {
      const bank = await getMockBank(tx, { ...proof, now })
      const seed = seedOf(proof, kind, number)
      return kind === 'mock' ? mockExam(bank, seed) : customExam(bank, CustomExam.parse(start.custom ?? {}), seed)
    },
  })
}

function mockExam(bank: MockBank, seed: number): DrawnExam {
  const { passingScore, scoringPolicy, full } = bank
  const form = drawMock(bank, seed)
  const timeLimitMinutes = minutesFor(form.questions.length, full)
  return { seed, facts: factsOf(form), questions: form.questions, timeLimitMinutes, passingScore, scoringPolicy }
}

function customExam(bank: MockBank, custom: CustomExam, seed: number): DrawnExam {
  const { passingScore, scoringPolicy, blueprint } = bank
  const { lastAttempts = Number.POSITIVE_INFINITY } = custom
  const fitting = bank.entries.filter(({ standing }) => fits(standing, { ...custom, lastAttempts }))
  if (fitting.length === 0) throw fail('custom.nothing-fits')
  const weights = weightsIn(fitting, bank.entries, blueprint)
  const form = drawForm(fitting, { size: custom.count, weights, seed })
  const facts = factsOf(form)
  return {
    seed,
    facts,
    asked: custom,
    questions: form.questions,
    timeLimitMinutes: custom.minutes,
    passingScore,
    scoringPolicy,
  }
}
