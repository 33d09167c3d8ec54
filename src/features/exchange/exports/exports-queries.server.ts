import { textsOf } from '../../questions/types/content-registry.ts'
import type { Question } from '../../questions/types/question-types.schema.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { caseStudiesOf } from '../../questions/case-studies/case-blocks.ts'
import { caseStudyTexts } from '../../questions/case-studies/case-studies.ts'
import { Zip, ZipDeflate } from 'fflate'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import type { ExamId } from '../../../lib/ids.ts'
import { getLatestExam } from '../../authoring/drafts/drafts-queries.server.ts'
import { findImageBytes } from '../../catalogue/images/images-queries.server.ts'
import { listStudySheets } from '../../catalogue/study-sheets/study-sheets-queries.server.ts'
import { getCourseFacts, getExamCaseStudies, getExamQuestions } from '../../catalogue/catalogue-queries.server.ts'
import { fail as failCatalogue } from '../../catalogue/catalogue.schema.ts'
import { prepareFormat, writeBank } from '../../questions/formats/bank.ts'
import { imagesShownBy } from '../../questions/image-addresses.ts'
import type { AttachedImage, CourseToWrite, ExamToWrite, WrittenFile } from '../../questions/formats/formats.schema.ts'
import { archiveName, contentTypeOf, MAX_EXPORTED } from './exports.ts'
import { fail, type Exported, type ExportSubject, type ExportSelection } from './exports.schema.ts'

/** The selected courses and exams, in the order of selection. An exam may be named by any version; deleted ones are left out. */
export async function listExportSubjects(
  db: Db,
  of: { readonly course: readonly string[]; readonly exam: readonly string[] },
): Promise<ExportSubject[]> {
  const { rows } = await sql<ExportSubject>`
    with chosen as (
      select 'course' as kind, id, place from unnest(${[...of.course]}::uuid[]) with ordinality as one (id, place)
      union all
      select 'exam', id, 1000 + place from unnest(${[...of.exam]}::uuid[]) with ordinality as one (id, place)),
    exams as (
      select chosen.kind, chosen.id as chosen_id, exam.id, exam.family_id, exam.test_name, exam.course_id, exam.question_count,
        exists (select from exam_drafts draft where draft.family_id = exam.family_id) as has_draft
      from chosen join test_questions exam on exam.is_current_version
        and case chosen.kind when 'course' then exam.course_id = chosen.id
          else exam.family_id = (select family_id from test_questions any_version where any_version.id = chosen.id) end),
    counted as (
      select kind, chosen_id, min(id::text) as exam_id, min(test_name) as test_name, min(course_id::text)::uuid as course_id,
        count(*)::int as exams, sum(question_count)::int as questions, (count(*) filter (where has_draft))::int as drafts,
        sum(case when has_draft then (select count(*) from exam_draft_questions one where one.family_id = exams.family_id)
          else question_count end)::int as drafted
      from exams group by kind, chosen_id)
    select chosen.kind, case chosen.kind when 'course' then courses.id::text else counted.exam_id end as id,
      case chosen.kind when 'course' then courses.title else counted.test_name end as title,
      courses.id as "courseId", courses.title as "courseTitle", coalesce(counted.exams, 0) as exams,
      coalesce(counted.questions, 0) as "questionCount", coalesce(counted.drafts, 0) as drafts,
      coalesce(counted.drafted, 0) as "draftedCount"
    from chosen left join counted on counted.kind = chosen.kind and counted.chosen_id = chosen.id
    join courses on courses.id = case chosen.kind when 'course' then chosen.id else counted.course_id end
    order by chosen.place`.execute(db)
  return rows
}

/**
 * The questions of courses and exams as one file or a zip of several, with the losses of the format. Our own formats also
 * describe the courses.
 * @throws Failure course.not-found, exam.not-found, export.nothing, export.too-many
 */
export async function exportQuestions(db: Db, selection: ExportSelection, now: Date): Promise<Exported> {
  const { exams, slug } = await listExams(db, selection)
  const questionCount = exams.reduce((sum, { questions }) => sum + questions.length, 0)
  if (questionCount === 0) throw fail('export.nothing')
  await prepareFormat(selection.format)
  const { files, losses } = writeBank(selection.format, exams, now)
  const [first] = files
  if (files.length === 1 && first !== undefined) {
    const fileName = first.path.split('/').at(-1) ?? first.path
    return { questionCount, losses, fileName, contentType: contentTypeOf(fileName), chunks: inPieces(first.bytes) }
  }
  const fileName = archiveName(slug, selection.format)
  return { questionCount, losses, fileName, contentType: 'application/zip', chunks: archived(files) }
}

type Row = Awaited<ReturnType<typeof listRows>>[number]

/** The exported exams, with the facts of their course if it was selected as a whole, and a name for the archive. */
async function listExams(db: Db, selection: ExportSelection): Promise<{ exams: ExamToWrite[]; slug: string }> {
  const rows: { readonly row: Row; readonly course: CourseToWrite | undefined }[] = []
  const added = new Set<string>()
  const add = (found: readonly Row[], course: CourseToWrite | undefined) => {
    for (const row of found) if (!added.has(row.family_id)) rows.push({ row, course })
    for (const { family_id: familyId } of found) added.add(familyId)
  }
  for (const courseId of selection.course) {
    const facts = await getCourseFacts(db, courseId)
    const sheets = await listStudySheets(db, courseId)
    const course = { ...toWrite(facts), sheets }
    add(await listRows(db, (exams) => exams.where('exam.course_id', '=', courseId)), course)
  }
  for (const examId of selection.exam) {
    const found = await listRows(db, (exams) =>
      exams.where('exam.family_id', 'in', (eb) =>
        eb.selectFrom('test_questions as one').where('one.id', '=', examId).select('one.family_id'),
      ),
    )
    if (found.length === 0) throw failCatalogue('exam.not-found')
    add(found, undefined)
  }
  if (rows.reduce((sum, { row }) => sum + row.question_count, 0) > MAX_EXPORTED) throw fail('export.too-many')
  const exams: ExamToWrite[] = []
  for (const { row, course } of rows) exams.push(await toExam(db, row, course, selection))
  const slugs = new Set(rows.map(({ row, course }) => course?.slug ?? row.slug))
  const [slug = 'questions'] = slugs.size === 1 ? slugs : []
  return { exams: exams.filter(({ questions }) => questions.length > 0), slug }
}

function toWrite({ slug, ...facts }: Awaited<ReturnType<typeof getCourseFacts>>): CourseToWrite {
  const { title, category, priceCents, blueprint, description, imageUrl } = facts
  return { slug, facts: { title, category, priceCents, blueprint, description, imageUrl } }
}

function listRows(db: Db, pick: (exams: ReturnType<typeof currentRows>) => ReturnType<typeof currentRows>) {
  return pick(currentRows(db)).orderBy('exam.position').orderBy('exam.id').execute()
}

function currentRows(db: Db) {
  return db
    .selectFrom('test_questions as exam')
    .innerJoin('courses', 'courses.id', 'exam.course_id')
    .where('exam.is_current_version', '=', true)
    .select([
      'exam.id',
      'exam.family_id',
      'exam.test_name',
      'exam.slug',
      'exam.position',
      'exam.time_limit',
      'exam.passing_score',
      'exam.scoring_policy',
      'exam.is_free_trial',
      'exam.question_count',
      'courses.title',
    ])
}

async function toExam(
  db: Db,
  row: Row,
  course: CourseToWrite | undefined,
  selection: ExportSelection,
): Promise<ExamToWrite> {
  const latest = selection.version === 'draft' ? await getLatestExam(db, row.id) : null
  const all = latest?.questions ?? (await getExamQuestions(db, row.id as ExamId))
  const questions =
    selection.questions === undefined ? [...all] : all.filter(({ id }) => selection.questions?.includes(id))
  const latestCaseStudies = latest?.caseStudies ?? (await getExamCaseStudies(db, row.id as ExamId))
  const caseStudies = caseStudiesOf(latestCaseStudies, questions)
  const settings = latest?.settings ?? {
    title: row.test_name,
    timeLimitMinutes: row.time_limit,
    passingScore: row.passing_score,
    isFreeTrial: row.is_free_trial,
    scoringPolicy: row.scoring_policy,
  }
  const { scoringPolicy, ...others } = settings
  const scoring = scoringPolicy === 'partial' ? { scoringPolicy } : {}
  return {
    facts: { ...others, ...scoring, slug: row.slug, order: row.position },
    courseTitle: row.title,
    ...(course === undefined ? {} : { course }),
    caseStudies,
    questions,
    images: await listImages(db, questions, caseStudies),
  }
}

/** The stored images that questions and case studies show, by their addresses. */
export async function listImages(
  db: Db,
  questions: readonly Question[],
  caseStudies: readonly CaseStudy[] = [],
): Promise<Map<string, AttachedImage>> {
  const images = new Map<string, AttachedImage>()
  for (const address of imagesShownBy([...questions.flatMap(textsOf), ...caseStudies.flatMap(caseStudyTexts)])) {
    const [, id, ending] = /^\/pictures\/([0-9a-f]{64})\.(webp|svg)$/.exec(address) ?? []
    const image = id === undefined ? null : await findImageBytes(db, id)
    if (image !== null) images.set(address, { name: `${id?.slice(0, 16)}.${ending}`, bytes: image.bytes })
  }
  return images
}

const PIECE_BYTES = 256 * 1024

function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.slice(at, at + PIECE_BYTES)
}

/** A zip archive that is compressed while it is sent. */
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
