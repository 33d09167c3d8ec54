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

  /** The first form as it is written: its wildcards accept themselves. */
  answerKey: ({ forms }) => ({ type: 'short-answer', text: forms[0]?.text ?? '' }),
  keyProblem: () => null,
  /** Another key replaces the first form, or moves the form that says it to the first place. The other forms stay. */
  withAnswerKey: (question, { text }) => ({ ...question, forms: withFirstForm(question, text) }),

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

function withFirstForm({ forms }: ShortAnswerQuestion, typed: string): ShortAnswerQuestion['forms'] {
  const text = normaliseLine(typed.normalize('NFC'))
  const [first, ...others] = forms
  const known = forms.find((form) => form.text === text) ?? { id: first?.id ?? '', text }
  return [known, ...others.filter((form) => form.text !== text)]
}
