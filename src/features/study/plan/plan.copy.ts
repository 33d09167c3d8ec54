/** The sentences about exam dates and plans. */
export const copy = {
  'plan.none': 'There is no exam date for this course yet.',
  'plan.date.wrong': 'Choose a day of the calendar.',
  'plan.date.past': 'This day is over. Choose today or a later day.',
  'plan.date.far': 'Choose a day within the next two years.',
  'plan.zone.wrong': 'This time zone is not known. A name is like Europe/Berlin.',
  'plan.minutes.wrong': 'Choose 5 to 600 minutes a day, in whole minutes.',
  'plan.rest.wrong': 'Leave at least one day of the week for studying.',
  'plan.score.wrong': 'Choose a whole percentage from 1 to 100, or leave it empty.',
} as const
