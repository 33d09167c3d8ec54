import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../db/open.server.ts'
import type { CourseId } from '../../../lib/ids.ts'
import { storeCalibration } from '../../attempts/calibrations/item-calibrations-commands.server.ts'
import { calibrateItems, type Calibration } from '../readiness/item-calibration.ts'
import { LABEL_DIFFICULTY } from '../readiness/readiness.ts'
import { isCalibrationDue, statedDeviation } from './calibration-rule.ts'
import { listCourseNews, readCalibrationFacts, type CalibrationFacts } from './calibration-queries.server.ts'

/** Calibrates the courses that have enough new answers, one after the other, and returns how many. */
export async function calibrateDueCourses(db: Db, now: Date): Promise<number> {
  const due = (await listCourseNews(db)).filter(isCalibrationDue)
  for (const { courseId } of due) await calibrateCourse(db, courseId, now)
  return due.length
}

/** Estimates how hard each question of a course is from all answers up to now, and stores it. */
export async function calibrateCourse(db: Db, courseId: CourseId, now: Date): Promise<void> {
  const facts = await readCalibrationFacts(db, courseId, now)
  const { items } = await calibrate(facts)
  const names = facts.items.map(({ familyId, questionId, answerKey }) => ({ familyId, questionId, answerKey }))
  await storeCalibration(db, {
    courseId,
    at: now,
    responseCount: facts.responses.items.length,
    personCount: facts.responses.personCount,
    items: names.flatMap((name, place) => {
      const item = items[place]
      return item === undefined ? [] : [{ ...name, ...item }]
    }),
  })
}

/** Between the slices of the work the server answers requests. */
async function calibrate({ responses, items }: CalibrationFacts): Promise<Calibration> {
  const stated = statedDeviation(responses.items.length, items.length)
  const work = calibrateItems(responses, items, { labels: LABEL_DIFFICULTY, ...stated })
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    await setImmediate()
  }
}
