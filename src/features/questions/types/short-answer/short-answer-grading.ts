import { normaliseLine } from '../../question-text.ts'
import { POINTS, type TypeGrading } from '../type-grading.ts'
import { postedText } from '../written/written-answer.ts'
import { isAccepted } from './accepted-forms.ts'
import type { ShortAnswerQuestion } from './short-answer.schema.ts'

/** A text is right or wrong as a whole (docs/scoring.md). */
export const shortAnswerGrading: TypeGrading<'short-answer'> = {
  points: (question, { text }) => (isAccepted(text, question) ? POINTS : 0),
  isRight: (question, { text }) => isAccepted(text, question),
  isComplete: () => true,
  blindChance: () => 0,
  shapeOf: () => ({ type: 'short-answer' }),
  arranged: (question) => question,
  answerProblem: (_shape, _answer, struck) => (struck.length > 0 ? 'unknown-part' : null),

  answerFromFields(_question, fields) {
    const text = postedText(fields)
    return text === null ? null : { type: 'short-answer', text }
  },

  /** Forms as they are written: `\\*` accepts an asterisk, and not itself. */
  answerKey: ({ forms }) => {
    const [text = '', ...others] = forms.map((form) => form.text)
    return { type: 'short-answer', text, others }
  },
  keyProblem: () => null,
  /** Another key replaces the first form and, if it has them, the others. */
  withAnswerKey: (question, { text, others = question.forms.slice(1).map((form) => form.text) }) => ({
    ...question,
    forms: withTexts(question, [...new Set([text, ...others].map((form) => normaliseLine(form.normalize('NFC'))))]),
  }),

  forTaking: ({ id, stem, domain }) => ({ type: 'short-answer', id, stem, domain }),

  forReview: (question) => ({
    ...shortAnswerGrading.forTaking(question),
    forms: question.forms,
    isCaseSensitive: question.isCaseSensitive,
    explanation: question.explanation,
    url: question.url,
    difficulty: question.difficulty,
  }),
}

/** Forms with these texts. Those that are there keep their ids, and new ones get those of the forms that went, or new ones. */
function withTexts({ forms }: ShortAnswerQuestion, texts: readonly string[]): ShortAnswerQuestion['forms'] {
  const gone = forms.filter(({ text }) => !texts.includes(text)).map(({ id }) => id)
  const unused = Array.from({ length: texts.length + forms.length }, (_, at) => `form-${at + 1}`).filter((id) =>
    forms.every((form) => form.id !== id),
  )
  const free = [...gone, ...unused]
  return texts.map((text) => forms.find((form) => form.text === text) ?? { id: free.shift() ?? '', text })
}
