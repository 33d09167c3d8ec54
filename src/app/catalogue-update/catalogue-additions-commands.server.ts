import type { Db } from '../../db/open.server.ts'
import { storedDescription } from '../../features/catalogue/course-rules.ts'
import { addCourse, addExam } from '../../features/catalogue/catalogue-commands.server.ts'
import type { ExamSettings } from '../../features/catalogue/exam-settings.schema.ts'
import { storeStudySheet } from '../../features/catalogue/study-sheets/study-sheets-commands.server.ts'
import { storeDrawings } from '../../features/catalogue/images/images-commands.server.ts'
import { caseStudiesOf } from '../../features/questions/case-studies/case-blocks.ts'
import type { Question } from '../../features/questions/types/question-types.schema.ts'
import type { CourseId, ExamId } from '../../lib/ids.ts'
import { cents } from '../../lib/money.ts'
import type { ContentCourse } from '../server/content.server.ts'
import { hashesOf, type CourseTexts } from './catalogue-origins-queries.server.ts'
import { examTexts, addDelivered, sheetTexts, type DeliveredTexts } from './catalogue-update.ts'

export type ContentExam = ContentCourse['exams'][number]

export function courseTextsOf(course: ContentCourse): CourseTexts {
  const { title, description, category, imageUrl, blueprint, sheets } = course
  const texts = { title: title.trim(), description: storedDescription(description), category, imageUrl, blueprint }
  return { ...texts, ...sheetTexts(sheets) }
}

export function settingsOf(exam: ContentExam): ExamSettings {
  const { title, timeLimitMinutes, passingScore, isFreeTrial, scoringPolicy = 'all-or-nothing' } = exam
  return { title, timeLimitMinutes, passingScore, scoringPolicy, isFreeTrial }
}

export const questionsOf = (exam: ContentExam): Question[] => exam.questions.map(({ question }) => question)

/** Adds a course of the catalogue with all its exams, and records where it came from. */
export async function addCatalogueCourse(
  tx: Db,
  course: ContentCourse,
  how: { readonly status: 'draft' | 'published'; readonly now: Date },
): Promise<CourseId> {
  const { status, now } = how
  const courseId = await addCourse(tx, {
    title: course.title,
    description: course.description,
    priceCents: cents(course.priceCents),
    category: course.category,
    slug: course.slug,
    blueprint: course.blueprint,
    imageUrl: course.imageUrl,
    ownerId: null,
    status,
    now,
  })
  await storeDrawings(tx, course.drawings, now)
  for (const sheet of course.sheets) await storeStudySheet(tx, courseId, sheet, now)
  const delivered = addDelivered({}, hashesOf(courseTextsOf(course)), now)
  await saveOrigin(tx, { kind: 'course', slug: course.slug, shopId: courseId, delivered })
  for (const exam of course.exams)
    await addCatalogueExam(tx, { exam, courseId, category: course.category, questions: questionsOf(exam), now })
  return courseId
}

/** Adds an exam of the catalogue, which learners see at once, and records where it came from. */
export async function addCatalogueExam(
  tx: Db,
  add: {
    readonly exam: ContentExam
    readonly courseId: CourseId
    readonly category: ContentCourse['category']
    readonly questions: readonly Question[]
    readonly now: Date
  },
): Promise<ExamId> {
  const { exam, courseId, category, questions, now } = add
  const settings = settingsOf(exam)
  const { slug, order: position } = exam
  // An update keeps questions apart that an admin moved to another exam.
  const caseStudies = caseStudiesOf(exam.caseStudies ?? [], questions)
  const examId = await addExam(tx, { ...settings, courseId, slug, questions, caseStudies, position, category, now })
  const delivered = addDelivered({}, examTexts({ settings, questions, caseStudies }), now)
  await saveOrigin(tx, { kind: 'exam', slug, shopId: examId, delivered })
  return examId
}

export async function saveOrigin(
  tx: Db,
  origin: { kind: 'course' | 'exam'; slug: string; shopId: string; delivered: DeliveredTexts },
): Promise<void> {
  const { kind, slug, shopId, delivered } = origin
  const texts = JSON.stringify(delivered)
  await tx
    .insertInto('catalogue_origins')
    .values({ kind, slug, shop_id: shopId, texts })
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doUpdateSet({ shop_id: shopId, texts }))
    .execute()
}
