import { Zip, ZipDeflate } from 'fflate'
import type { Db } from '../../../db/open.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { getCurrentExam } from '../../catalogue/drafts/read.server.ts'
import { findPictureBytes } from '../../catalogue/pictures/read.server.ts'
import { getExamQuestions } from '../../catalogue/read.server.ts'
import { fail as failCatalogue } from '../../catalogue/schema.ts'
import { writeBank } from '../../questions/formats/bank.ts'
import { picturesShownBy } from '../../questions/formats/pictures.ts'
import type { BroughtPicture, ExamToWrite, WrittenFile } from '../../questions/formats/schema.ts'
import type { Question } from '../../questions/schema.ts'
import { archiveName, contentTypeOf } from './rules.ts'
import { fail, type Exported, type ExportSubject, type ExportWanted } from './schema.ts'

/** @throws Failure course.not-found, exam.not-found */
export async function getExportSubject(
  db: Db,
  of: { readonly course?: string | undefined; readonly exam?: string | undefined },
): Promise<ExportSubject> {
  if (of.exam !== undefined) {
    const exam = await getCurrentExam(db, of.exam)
    const { familyId: id, courseId, questionCount, settings } = exam
    return { kind: 'exam', id, title: settings.title, courseId, questionCount }
  }
  const course = await db
    .selectFrom('courses')
    .where('id', '=', of.course ?? '')
    .select(['id', 'title'])
    .select((eb) =>
      eb
        .selectFrom('test_questions as exam')
        .whereRef('exam.course_id', '=', 'courses.id')
        .where('exam.is_current_version', '=', true)
        .select((exams) => exams.fn.sum<number>('exam.question_count').as('count'))
        .as('question_count'),
    )
    .executeTakeFirst()
  if (course === undefined) throw failCatalogue('course.not-found')
  const { id, title } = course
  return { kind: 'course', id, title, courseId: id, questionCount: Number(course.question_count ?? 0) }
}

/**
 * The current questions of a course or an exam as a file, or an archive of several, with what the format can't carry.
 * @throws Failure course.not-found, exam.not-found, export.nothing
 */
export async function exportQuestions(db: Db, wanted: ExportWanted): Promise<Exported> {
  const exams = await listExams(db, wanted)
  const questionCount = exams.reduce((sum, { questions }) => sum + questions.length, 0)
  if (questionCount === 0) throw fail('export.nothing')
  const { files, losses } = writeBank(wanted.format, exams)
  const [first] = files
  if (files.length === 1 && first !== undefined) {
    const fileName = first.path.split('/').at(-1) ?? first.path
    return { questionCount, losses, fileName, contentType: contentTypeOf(fileName), chunks: inPieces(first.bytes) }
  }
  const { slug } = await nameOf(db, wanted)
  const fileName = archiveName(slug, wanted.format)
  return { questionCount, losses, fileName, contentType: 'application/zip', chunks: archived(files) }
}

async function nameOf(db: Db, wanted: ExportWanted): Promise<{ slug: string }> {
  if (wanted.exam !== undefined) return getCurrentExam(db, wanted.exam)
  return db
    .selectFrom('courses')
    .where('id', '=', wanted.course ?? '')
    .select('slug')
    .executeTakeFirstOrThrow()
}

/** @throws Failure course.not-found, exam.not-found */
async function listExams(db: Db, wanted: ExportWanted): Promise<ExamToWrite[]> {
  const rows = await db
    .selectFrom('test_questions as exam')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .where('exam.is_current_version', '=', true)
    .$if(wanted.course !== undefined, (query) => query.where('courses.id', '=', wanted.course ?? ''))
    .$if(wanted.exam !== undefined, (query) =>
      query.where('exam.family_id', 'in', (eb) =>
        eb
          .selectFrom('test_questions as one')
          .where('one.id', '=', wanted.exam ?? '')
          .select('one.family_id'),
      ),
    )
    .orderBy('exam.position')
    .orderBy('exam.id')
    .select([
      'exam.id',
      'exam.test_name',
      'exam.slug',
      'exam.position',
      'exam.time_limit',
      'exam.passing_score',
      'exam.is_free_trial',
      'courses.title',
    ])
    .execute()
  if (rows.length === 0) throw failCatalogue(wanted.exam === undefined ? 'course.not-found' : 'exam.not-found')
  const exams: ExamToWrite[] = []
  for (const row of rows) {
    const all = await getExamQuestions(db, row.id as ExamId)
    const questions = wanted.questions === undefined ? all : all.filter(({ id }) => wanted.questions?.includes(id))
    exams.push({
      facts: {
        title: row.test_name,
        slug: row.slug,
        order: row.position,
        timeLimitMinutes: row.time_limit,
        passingScore: row.passing_score,
        isFreeTrial: row.is_free_trial,
      },
      courseTitle: row.title,
      questions,
      pictures: await listPictures(db, questions),
    })
  }
  return exams.filter(({ questions }) => questions.length > 0)
}

async function listPictures(db: Db, questions: readonly Question[]): Promise<Map<string, BroughtPicture>> {
  const pictures = new Map<string, BroughtPicture>()
  const texts = questions.flatMap(({ stem, answers, explanation }) => [
    stem,
    ...answers.map(({ text }) => text),
    explanation,
  ])
  for (const address of picturesShownBy(texts)) {
    const name = /^\/pictures\/([0-9a-f]{64})\.webp$/.exec(address)?.[1]
    const picture = name === undefined ? null : await findPictureBytes(db, name)
    if (picture !== null) pictures.set(address, { name: `${name?.slice(0, 16)}.webp`, bytes: picture.bytes })
  }
  return pictures
}

const PIECE_BYTES = 256 * 1024

function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.slice(at, at + PIECE_BYTES)
}

/** A zip of files, made while it is sent. */
function* archived(files: readonly WrittenFile[]): Generator<Uint8Array> {
  let ready: Uint8Array[] = []
  const zip = new Zip((problem, chunk) => {
    if (problem !== null) throw problem
    ready.push(chunk)
  })
  for (const file of files) {
    const entry = new ZipDeflate(file.path, { level: 6 })
    zip.add(entry)
    entry.push(file.bytes, true)
    yield* ready
    ready = []
  }
  zip.end()
  yield* ready
}
