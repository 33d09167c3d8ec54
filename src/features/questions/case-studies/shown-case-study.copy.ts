/** What learners read around a case study. */
export const copy = {
  'case-study.title': 'Case study: {title}',
  'case-study.position': 'Question {n} of {total} of this case study',
  'case-study.of': 'of the case study "{title}"',
  'case-study.tabs': 'Parts of the case study',
  'case-study.questions.range': 'Questions {from} to {to} are about this case study.',
} as const
