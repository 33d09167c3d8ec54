import { lettersOf } from '../questions.ts'
import type { Question } from '../questions.schema.ts'
import { type LossKind, lossSentences } from './formats.copy.ts'
import { markdownToHtml } from './markup/markdown-to-html.ts'
import { IMAGE_SCHEME, imagesShownBy, withAddresses } from './bank-images.ts'
import type { ExamToWrite, ExportFormat, Loss, ReadQuestion, ReadStep } from './formats.schema.ts'

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
  const brought = new Set(back.images.map(({ name }) => IMAGE_SCHEME + name))
  const said = (text: string) => {
    const withNames = withAddresses(text, (address) => {
      const name = exam.images.get(address)?.name
      return name !== undefined && brought.has(IMAGE_SCHEME + name) ? IMAGE_SCHEME + name : undefined
    })
    return withNames
  }
  const isSame = (mine: string, other: string) => mine === other || seen(mine) === seen(other)
  const hint = (of: Question, kind: 'suggestedOptionIds' | 'mostVotedOptionIds') => lettersOf(of, of[kind])
  const shown = imagesShownBy(textsOf(out)).filter((address) => exam.images.has(address))
  const checks: [LossKind, boolean][] = [
    ['stem', isSame(said(out.stem), question.stem)],
    ['answers', areOptionsSame(out, question, (mine, other) => isSame(said(mine), other))],
    ['explanation', isSame(said(out.explanation), question.explanation)],
    ['domain', out.domain === question.domain],
    ['difficulty', out.difficulty === question.difficulty],
    ['url', out.url === question.url],
    ['needsReview', !out.needsReview || question.needsReview],
    ['suggested', hint(out, 'suggestedOptionIds') === hint(question, 'suggestedOptionIds')],
    ['mostVoted', hint(out, 'mostVotedOptionIds') === hint(question, 'mostVotedOptionIds')],
    ['images', shown.every((address) => brought.has(IMAGE_SCHEME + (exam.images.get(address)?.name ?? '')))],
  ]
  return checks.flatMap(([kind, isKept]) => (isKept ? [] : [kind]))
}

function textsOf({ stem, options: answers, explanation }: Question): string[] {
  return [stem, ...answers.map(({ text }) => text), explanation]
}

function areOptionsSame(out: Question, back: Question, isSame: (mine: string, other: string) => boolean): boolean {
  return (
    out.options.length === back.options.length &&
    out.options.every(({ text, isRight }, place) => {
      const other = back.options[place]
      return other !== undefined && isRight === other.isRight && isSame(text, other.text)
    })
  )
}
