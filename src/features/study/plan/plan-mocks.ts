import { addDays, daysBetween, type CalendarDay } from '../../../lib/calendar-day.ts'

/** A mock exam, or the real one: its questions and its time. */
export type MockExam = { readonly questions: number; readonly minutes: number }

/** How many days before the exam a mock exam is due: at shorter distances towards the end, and none in the last two days. */
const DAYS_BEFORE = [3, 7, 12, 19, 28, 42, 63, 91, 126, 168, 224, 294, 378, 480, 600, 720]
/** A mock exam that is this close to another one does not count for a place of its own. */
const DISTANCE_MIN = 2
/** A shorter one says too little. */
const SHORTEST_QUESTIONS = 15

/** The mock exam that fits into a day: the real length, or as many questions at the real pace as there is time for. */
export function mockLength(exam: MockExam, minutesADay: number): MockExam | null {
  if (exam.minutes <= minutesADay) return exam
  const questions = Math.floor((exam.questions * minutesADay) / exam.minutes)
  return questions < SHORTEST_QUESTIONS ? null : { questions, minutes: minutesADay }
}

/**
 * The days for mock exams, among those with study. One that was missed is made up for on the first of them, if the next one is not close.
 */
export function mockDays(of: {
  readonly today: CalendarDay
  readonly examDate: CalendarDay
  /** When the plan began: no mock exam was missed before. */
  readonly setOn: CalendarDay
  readonly days: readonly CalendarDay[]
  readonly mocksDone: readonly CalendarDay[]
}): CalendarDay[] {
  const { today, examDate, setOn, days, mocksDone } = of
  const chosen: CalendarDay[] = []
  const isFree = (day: CalendarDay) =>
    [...chosen, ...mocksDone].every((other) => Math.abs(daysBetween(other, day)) >= DISTANCE_MIN)
  for (const before of DAYS_BEFORE) {
    const due = addDays(examDate, -before)
    if (due < today) break
    // A mock exam on a day without study moves forward, away from the exam.
    const day = days.findLast((one) => one <= due && daysBetween(one, due) <= DISTANCE_MIN)
    if (day !== undefined && isFree(day)) chosen.push(day)
  }
  const [first] = days
  const missed = DAYS_BEFORE.map((before) => addDays(examDate, -before)).find((day) => day < today)
  const isMissed =
    missed !== undefined && missed >= setOn && mocksDone.every((day) => day < addDays(missed, -DISTANCE_MIN))
  const isNextFar = first !== undefined && chosen.every((day) => daysBetween(first, day) > DISTANCE_MIN)
  if (isMissed && isNextFar && isFree(first) && daysBetween(first, examDate) > DISTANCE_MIN) chosen.push(first)
  return chosen.sort()
}
