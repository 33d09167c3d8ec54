import { strToU8, zipSync, type Zippable } from 'fflate'
import { sha256Hex } from '../../../../lib/sha256.ts'
import type { CaseStudy } from '../../case-studies/case-study.schema.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { fieldsOfQuestion, sidesOf, tagsOfQuestion } from './anki-card.ts'
import { type AnkiNote, DECK_MARK, writeCollection } from './anki-collection.ts'
import type { AttachedImage, ExamToWrite, WrittenFile } from '../formats.schema.ts'

/** A package of Anki: a note for each question, in a deck for each exam below the deck of its course, and the images. */
export function writeAnkiPackage(exams: ExamToWrite[], now: Date): WrittenFile[] {
  const notes = exams.flatMap(({ facts, courseTitle, questions, caseStudies = [], images }) => {
    const deck = [courseTitle, facts.title].map(deckText).join(DECK_MARK)
    return questions.map((question): AnkiNote => ({
      guid: guidOf(question.id),
      deck,
      fields: fieldsOfQuestion(
        question,
        images,
        caseStudies.find(({ id }) => id === question.caseStudy),
      ),
      tags: tagsOfQuestion(question),
    }))
  })
  const images = exams.flatMap((exam) => [...exam.images.values()])
  return [{ path: `${nameOf(exams)}.apkg`, bytes: packaged(notes, images, now) }]
}

export interface LearnerCards {
  readonly courseTitle: string
  readonly questions: readonly Question[]
  /** The case study of each question that has one, by the id of the question. */
  readonly caseStudies: ReadonlyMap<string, CaseStudy>
  readonly images: ReadonlyMap<string, AttachedImage>
  readonly now: Date
}

/** The same cards for a learner: without the question as authors have it, and without its need of review. */
export function writeCards({ courseTitle, questions, caseStudies, images, now }: LearnerCards): Uint8Array {
  const notes = questions.map((question): AnkiNote => ({
    guid: guidOf(question.id),
    deck: deckText(courseTitle),
    fields: [...sidesOf(question, (address) => images.get(address)?.name, caseStudies.get(question.id)), ''],
    tags: tagsOfQuestion({ ...question, needsReview: false }),
  }))
  return packaged(notes, [...images.values()], now)
}

function packaged(notes: readonly AnkiNote[], attached: readonly AttachedImage[], now: Date): Uint8Array {
  const images = new Map(attached.map((image) => [image.name, image]))
  const files: Zippable = { 'collection.anki2': [writeCollection(notes, now), { level: 6 }] }
  // Images are compressed already.
  for (const [place, { bytes }] of [...images.values()].entries()) files[String(place)] = [bytes, { level: 0 }]
  files['media'] = strToU8(JSON.stringify(Object.fromEntries([...images.keys()].entries())))
  return zipSync(files, { mtime: zipTime(now) })
}

/** Anki keeps one note for each: the same question from two exports is one note. */
function guidOf(key: string): string {
  return sha256Hex(`altocert ${key}`).slice(0, 16)
}

/** A part of a deck's name: `::` separates them. */
function deckText(title: string): string {
  return title.replaceAll(/:{2,}/g, ':').replaceAll(/\s+/g, ' ').trim() || 'Altocert'
}

function nameOf(exams: readonly ExamToWrite[]): string {
  const [first] = exams
  if (exams.length === 1) return first?.facts.slug ?? 'questions'
  const slugs = new Set(exams.map(({ course }) => course?.slug))
  return (slugs.size === 1 ? first?.course?.slug : undefined) ?? 'questions'
}

/** A zip can't say a time before 1980. */
function zipTime(now: Date): Date {
  return now.getTime() < Date.UTC(1981) ? new Date(Date.UTC(1981)) : now
}
