import { TITLE_LIMIT } from '../../catalogue/course-rules.ts'
import type { ImportDestination, ImportView } from '../imports/imports.schema.ts'

export type DestinationKind = 'exam' | 'new-exam' | 'new-course' | 'own-places' | 'own-courses'

type Read = Pick<ImportView, 'name' | 'counts' | 'courses' | 'exams' | 'storedAt'>

/**
 * The destination that is chosen at first: the place where the import was begun from, or else the one that fits the file best.
 * If the bank has none of its questions, that is a new course.
 */
export function firstDestination(view: Read, begun: ImportDestination, isAnyCourse: boolean): DestinationKind {
  if (begun.exam !== null) return 'exam'
  if (begun.course !== null) return 'new-exam'
  if (view.courses.length > 0) return 'own-courses'
  if (view.counts.changed.open > 0) return 'own-places'
  const isKnown = view.storedAt !== null || view.counts.there.open > 0
  return isAnyCourse && isKnown ? 'exam' : 'new-course'
}

/** The title that a new course gets at first: the course's or exam's in the file, or else the file's name. */
export function proposedTitle({ courses, exams, name }: Read): string {
  const title = courses[0]?.facts.title ?? exams[0]?.facts.title ?? titleOfFile(name)
  return title.replaceAll(/[<>]/g, '').slice(0, TITLE_LIMIT - 1)
}

/** 'cloud-practitioner_2.gift' becomes 'Cloud practitioner 2'. */
function titleOfFile(name: string): string {
  const words = name
    .replace(/\.[a-z0-9]+$/i, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
