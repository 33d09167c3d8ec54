import type {
  CatalogueUpdate,
  CourseUpdate,
  ExamUpdate,
} from '../app/catalogue-update/catalogue-update-commands.server.ts'
import type { Kept } from '../app/catalogue-update/catalogue-update.ts'
import { counted } from '../lib/text.ts'

/** The lines that the command prints: only courses and exams about which there is something to say, then the sums. */
export function reportLines(update: CatalogueUpdate): string[] {
  return [...update.courses.flatMap((course) => courseLines(update, course)), ...sumLines(update)]
}

const labels: Readonly<Record<string, string>> = {
  timeLimitMinutes: 'time limit',
  passingScore: 'passing score',
  scoringPolicy: 'scoring',
  isFreeTrial: 'free trial',
  imageUrl: 'image',
  stem: 'text',
  key: 'answer key',
}
const labelOf = (name: string) => labels[name] ?? name

function courseLines(update: CatalogueUpdate, course: CourseUpdate): string[] {
  const { slug, title, texts, kept, exams } = course
  const lines = [
    ...courseState(update, course),
    ...listLine(texts.map(labelOf), `  course texts corrected${update.mode === 'publish' ? '' : ' with --publish'}`),
    ...keptLines(kept, '  '),
    ...(course.state === 'new' ? exams.map(newExamLine) : exams.flatMap((exam) => examLines(update, exam))),
  ]
  return lines.length === 0 ? [] : [`${slug}: ${title}`, ...lines, '']
}

function courseState({ mode }: CatalogueUpdate, { state }: CourseUpdate): string[] {
  switch (state) {
    case 'new':
      return [
        `  new course, ${mode === 'dry-run' ? 'to be added' : 'added'} as a draft: an admin sets its price and publishes it`,
      ]
    case 'deleted':
      return ['  deleted in this shop: it does not come back']
    case 'foreign':
      return ['  left alone: an admin made a course with this address']
    case 'withdrawn':
      return ['  stays, although the catalogue has it no more']
    case 'there':
      return []
  }
}

const newExamLine = ({ slug, added }: ExamUpdate) => `  ${slug}: ${counted(added.length, 'question')}`

function examLines(update: CatalogueUpdate, exam: ExamUpdate): string[] {
  const { settings, added, corrected, verified, caseStudies, kept, withdrawn, moved, problem } = exam
  const lines = [
    ...examState(update, exam),
    ...(problem === null ? [] : [`    nothing was changed: ${problem}`]),
    ...listLine(settings.map(labelOf), '    settings corrected'),
    ...listLine(added, `    ${added.length} new`),
    ...listLine(
      corrected.map(({ id, parts }) => `${id} (${parts.map(labelOf).join(', ')})`),
      `    ${corrected.length} corrected`,
    ),
    ...listLine(verified, `    ${verified.length} verified later`),
    ...listLine(caseStudies, '    case studies new or corrected'),
    ...keptLines(kept, '    '),
    ...listLine(withdrawn, '    stay, although the catalogue has them no more'),
    ...listLine(
      moved.map(({ id, staysIn }) => `${id} (${staysIn})`),
      '    stay in another exam of this shop',
    ),
    ...draftLine(update, exam),
  ]
  return lines.length === 0 ? [] : [`  ${exam.slug}`, ...lines]
}

function examState({ mode }: CatalogueUpdate, { state, added }: ExamUpdate): string[] {
  switch (state) {
    case 'new':
      if (added.length === 0) return ['    not added: this shop has all its questions in other exams']
      return [mode === 'publish' ? '    new exam' : '    new exam, added with --publish']
    case 'deleted':
      return ['    deleted in this shop: it does not come back']
    case 'foreign':
      return ['    left alone: an admin made an exam with this address']
    case 'withdrawn':
      return ['    stays, although the catalogue has it no more']
    case 'there':
      return []
  }
}

function keptLines(kept: readonly Kept[], indent: string): string[] {
  const named = (is: (one: Kept) => boolean) => kept.filter(is).map(({ name }) => labelOf(name))
  return [
    ...listLine(
      named(({ why, isNewer }) => why === 'changed' && isNewer),
      `${indent}kept as changed in this shop, although the catalogue has a newer text`,
    ),
    ...listLine(
      named(({ why, isNewer }) => why === 'changed' && !isNewer),
      `${indent}kept as changed in this shop`,
    ),
    ...listLine(
      named(({ why }) => why === 'removed'),
      `${indent}removed in this shop: they do not come back`,
    ),
  ]
}

function draftLine({ mode }: CatalogueUpdate, { draft, publishedVersion }: ExamUpdate): string[] {
  if (publishedVersion !== null) return [`    published as version ${publishedVersion}`]
  if (draft === 'catalogue')
    return [`    ${mode === 'dry-run' ? 'an earlier update waits' : 'waits'} in the draft for --publish or an admin`]
  if (draft === 'none') return []
  return [
    mode === 'publish'
      ? '    not published: its draft has changes by an admin, who publishes it in Course Management'
      : '    its draft has changes by an admin: they stay, and --publish will not publish it',
  ]
}

function listLine(names: readonly string[], before: string): string[] {
  return names.length === 0 ? [] : [`${before}: ${names.join(', ')}`]
}

function sumLines({ mode, courses }: CatalogueUpdate): string[] {
  const exams = courses.filter(({ state }) => state !== 'new').flatMap((course) => course.exams)
  const sum = (count: (exam: ExamUpdate) => number) => exams.reduce((total, exam) => total + count(exam), 0)
  const counts = {
    courses: courses.filter(({ state }) => state === 'new').length,
    exams: exams.filter(({ state, added }) => state === 'new' && added.length > 0).length,
    added: sum(({ added }) => added.length),
    corrected: sum(({ corrected }) => corrected.length),
    texts:
      sum(({ settings, caseStudies }) => settings.length + caseStudies.length) +
      courses.reduce((total, { texts }) => total + texts.length, 0),
    published: sum(({ publishedVersion }) => Number(publishedVersion !== null)),
    waiting: sum(({ draft }) => Number(draft === 'catalogue')),
  }
  const isEmpty = Object.values(counts).every((count) => count === 0)
  const kept = sum((exam) => exam.kept.length) + courses.reduce((total, course) => total + course.kept.length, 0)
  const stays = kept === 0 ? '' : ` ${counted(kept, 'text')} of this shop stay as they are.`
  if (isEmpty) return [`The shop has everything of this catalogue.${stays}`]
  const { added, corrected, texts } = counts
  return [
    `${counted(counts.courses, 'new course')}, ${counted(counts.exams, 'new exam')}, ${counted(added, 'new question')}, ${corrected.toLocaleString('en-US')} corrected, ${counted(texts, 'course text or setting', 'course texts and settings')}.${stays}`,
    {
      'dry-run': 'Nothing was changed. --apply puts this into drafts, --publish also publishes it.',
      apply: 'Learners see nothing of it yet: publish the drafts in Course Management or with --publish.',
      publish: `${counted(counts.published, 'exam')} published.`,
    }[mode],
  ]
}
