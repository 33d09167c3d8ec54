/** The former names of reply fields, by their current names. */
const formerNames: Readonly<Record<string, string>> = {
  emulators: 'standIns',
  matchCount: 'hitCount',
  mostVotedOptionIds: 'mostVotedAnswerIds',
  options: 'answers',
  rightOptionIds: 'rightAnswerIds',
  suggestedOptionIds: 'suggestedAnswerIds',
  wasRightOptionIds: 'wasRightAnswerIds',
  matched: 'hit',
  matches: 'hits',
  outcome: 'fate',
  paymentIssue: 'trouble',
  paymentIssueAt: 'troubleAt',
  scheduledPrices: 'plans',
  user: 'person',
  userId: 'personId',
}

/** The reply with each renamed field under its former name as well, for clients of earlier builds. Existing fields stay. */
export function withFormerNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFormerNames)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withFormerNames(field)] as const)
  const former = [
    ...formerSelection(value),
    ...formerEffect(value),
    ...fields.flatMap(([name, field]) => {
      const old = formerNames[name]
      return old === undefined || old in value ? [] : [[old, field] as const]
    }),
  ]
  return Object.fromEntries([...fields, ...former])
}

/** Answers were a list of option ids named `selection` before questions had types; no answer was an empty list. */
function formerSelection(value: object): [string, unknown][] {
  const former: [string, unknown][] = []
  if ('answer' in value && !('selection' in value)) former.push(['selection', optionIdsOf(value.answer) ?? []])
  if ('lateAnswer' in value) former.push(['lateSelection', optionIdsOf(value.lateAnswer)])
  return former
}

/** The effect of a corrected answer key had other words under another name. */
function formerEffect(value: object): [string, unknown][] {
  if (!('effect' in value)) return []
  const words: Readonly<Record<string, string>> = { corrected: 'mended', same: 'same', inapplicable: 'kept' }
  return [['becomes', words[String(value.effect)]]]
}

function optionIdsOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'optionIds' in answer ? answer.optionIds : null
}

/**
 * A record that an earlier build stored in this browser, with current field names. Renames top-level fields only, from the keys
 * of `names` to its values.
 */
export function renamed(stored: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof stored !== 'object' || stored === null) return stored
  return Object.fromEntries(Object.entries(stored).map(([name, field]) => [names[name] ?? name, field]))
}
