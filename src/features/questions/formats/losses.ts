import { lettersOf } from '../rules.ts'
import type { Question } from '../schema.ts'
import { type LossKind, lossSentences } from './copy.ts'
import { markdownToHtml } from './markup.ts'
import { PICTURE_SCHEME, picturesShownBy, withAddresses } from './pictures.ts'
import type { ExamToWrite, ExportFormat, Loss, ReadQuestion, ReadStep } from './schema.ts'

/**
 * What was written is read again and compared, so that no loss is left out and none is claimed. `readBack` gives the steps
 * of one exam alone.
 */
export function lossesOf(
  format: ExportFormat,
  exams: ExamToWrite[],
  readBack: (exam: ExamToWrite) => Iterable<ReadStep>,
): Loss[] {
  return exams.flatMap((exam) => {
    const isOurs = format === 'json' || format === 'markdown'
    const facts: LossKind = format === 'qti-3' ? 'factsButTime' : 'facts'
    const ofExam: LossKind[] = isOurs || exam.questions.length === 0 ? [] : ['keys', facts]
    // QTI holds HTML and no Markdown: what matters there is what a reader sees.
    const seen = format === 'qti-3' ? (text: string) => markdownToHtml(text) : (text: string) => text
    const back: ReadQuestion[] = []
    for (const step of readBack(exam)) if (step.kind === 'question') back.push(step.question)
    const ofQuestions = exam.questions.flatMap((question, place) =>
      lossesOfQuestion(question, back[place], { exam, seen }).map((kind) => lossOf(exam, question.id, kind)),
    )
    return [...ofExam.map((kind) => lossOf(exam, '', kind)), ...ofQuestions]
  })
}

function lossOf(exam: ExamToWrite, questionId: string, kind: LossKind): Loss {
  return { examSlug: exam.facts.slug, questionId, sentence: lossSentences[kind] }
}

function lossesOfQuestion(
  out: Question,
  back: ReadQuestion | undefined,
  { exam, seen }: { exam: ExamToWrite; seen: (text: string) => string },
): LossKind[] {
  if (!back?.question) return [back?.reasons.some(({ code }) => code === 'key-taken') === true ? 'repeat' : 'whole']
  const { question } = back
  const brought = new Set(back.pictures.map(({ name }) => PICTURE_SCHEME + name))
  const said = (text: string) => {
    const withNames = withAddresses(text, (address) => {
      const name = exam.pictures.get(address)?.name
      return name !== undefined && brought.has(PICTURE_SCHEME + name) ? PICTURE_SCHEME + name : undefined
    })
    return withNames
  }
  const isSame = (mine: string, other: string) => mine === other || seen(mine) === seen(other)
  const hint = (of: Question, kind: 'suggestedAnswerIds' | 'mostVotedAnswerIds') => lettersOf(of, of[kind])
  const shown = picturesShownBy(textsOf(out)).filter((address) => exam.pictures.has(address))
  const checks: [LossKind, boolean][] = [
    ['stem', isSame(said(out.stem), question.stem)],
    ['answers', areAnswersSame(out, question, (mine, other) => isSame(said(mine), other))],
    ['explanation', isSame(said(out.explanation), question.explanation)],
    ['domain', out.domain === question.domain],
    ['difficulty', out.difficulty === question.difficulty],
    ['url', out.url === question.url],
    ['needsReview', !out.needsReview || question.needsReview],
    ['suggested', hint(out, 'suggestedAnswerIds') === hint(question, 'suggestedAnswerIds')],
    ['mostVoted', hint(out, 'mostVotedAnswerIds') === hint(question, 'mostVotedAnswerIds')],
    ['pictures', shown.every((address) => brought.has(PICTURE_SCHEME + (exam.pictures.get(address)?.name ?? '')))],
  ]
  return checks.flatMap(([kind, isKept]) => (isKept ? [] : [kind]))
}

function textsOf({ stem, answers, explanation }: Question): string[] {
  return [stem, ...answers.map(({ text }) => text), explanation]
}

function areAnswersSame(out: Question, back: Question, isSame: (mine: string, other: string) => boolean): boolean {
  return (
    out.answers.length === back.answers.length &&
    out.answers.every(({ text, isRight }, place) => {
      const other = back.answers[place]
      return other !== undefined && isRight === other.isRight && isSame(text, other.text)
    })
  )
}
