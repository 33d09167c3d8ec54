import type { StaleReason } from './freshness.ts'

export const copy = {
  'freshness.title': 'Freshness',
  'freshness.about':
    'Questions whose facts nobody compared with their sources, or not lately, or not since they changed. Compare one with its source, then mark it as verified: learners notice nothing, and it leaves the list.',
  'freshness.filter.course': 'Course',
  'freshness.filter.reason': 'Why',
  'freshness.filter.months': 'Verified longer ago than',
  'freshness.filter.all': 'All',
  'freshness.filter.apply': 'Show',
  'freshness.guide': 'The exam guide of this course has changed',
  'freshness.months': '{n:month|months}',
  'freshness.count': '{n:question|questions} to verify of {all}',
  'freshness.links': '{n:link|links} checked, {dead} dead, {unsure} unsure',
  'freshness.links.none': 'No link was checked yet.',
  'freshness.none.title': 'Nothing to verify',
  'freshness.none': 'Every question that matches was compared with its sources lately.',
  'freshness.choose': 'Choose question {n} of {exam}',
  'freshness.choose.all': 'All on this page',
  'freshness.mark': 'Mark as verified today',
  'freshness.marked': '{n:question|questions} marked as verified today',
  'freshness.chosen': '{n:question|questions} chosen',
  'freshness.edit': 'Edit',
  'freshness.edit.of': 'Edit question {n} of {exam}',
  'freshness.source': 'Source',
  'freshness.source.of': 'Source of question {n} of {exam}',
  'freshness.place': '{exam}, question {n}',
  'freshness.verified': 'verified {day}',
  'freshness.follows': 'follows {guide}',
  'freshness.earlier': 'Earlier questions',
  'freshness.later': 'Later questions',
  'freshness.page': 'Page {page} of {count}',
  'freshness.reason.wrong': 'This is no reason to verify a question.',
  'freshness.too-many': 'Between 1 and 200 questions can be marked at once.',
} as const

export const reasonNames: Readonly<Record<StaleReason, string>> = {
  never: 'Never verified',
  old: 'Verified long ago',
  changed: 'Changed since it was verified',
  guide: 'Follows another exam guide',
  dead: 'Has a dead link',
}
