/** Apart from the sentences of reports, so that a course page does not load those. */
export const copy = {
  'errata.title': 'Corrections',
  'errata.about':
    'What learners challenged or reported, and we corrected. Results that a new answer key changes are graded again.',
  'errata.question': 'A question on {domain}',
  'errata.question.plain': 'A question',
  'errata.question.gone': 'A question that has left the exam since',
  'errata.in': 'in {exam}',
  'errata.what.key': 'The answer key was corrected.',
  'errata.what.unclear': 'The wording was corrected.',
  'errata.what.outdated': 'It was brought up to date.',
  'errata.what.explanation': 'The explanation was corrected.',
  'errata.what.link': "The link to the provider's page was corrected.",
  'errata.what.other': 'It was corrected.',
  'errata.earlier': '{n:earlier correction|earlier corrections}',
} as const
