import { counted } from '../../../lib/text.ts'
import { REMARKS } from '../types/registered/registered-remarks.ts'
import { error, type RemarkKind, warning } from '../types/type-findings.ts'
import type { CueStrategy, Remark } from './bank-checks.schema.ts'

/** What a test-wise learner picks. */
export const cueNames: Record<CueStrategy, string> = {
  longest: 'the longest option',
  shortest: 'the shortest option',
  'most-like-others': 'the option most like the others',
  'words-of-stem': 'the option that repeats most words of the stem',
  'no-absolute-words': 'an option without absolute words',
  'pair-35': 'one of the most alike pair, which shares 35% of its words',
  'pair-50': 'one of the most alike pair, which shares half of its words',
  'pair-80': 'one of the most alike pair, which shares 80% of its words',
  'place-1': 'option A',
  'place-2': 'option B',
  'place-3': 'option C',
  'place-4': 'option D',
  'place-5': 'option E',
  'place-6': 'option F',
  'place-7': 'option G',
  'place-8': 'option H',
  'place-9': 'option I',
  'place-10': 'option J',
  'place-11': 'option K',
  'place-12': 'option L',
}

/**
 * What can be wrong with a bank, although each of its questions could be read. An error is wrong for a learner or breaks a promise of
 * the shop; a warning is worth a look. Findings are set aside by their code and sentence, so that changed ones return.
 */
export const checkKinds = {
  'question-id-twice': error(
    'Same question key twice',
    (id: string, where: string) => `The key "${id}" is also that of a question in ${where}.`,
  ),
  'exam-slug-twice': error(
    'Same exam address twice',
    (slug: string, where: string) => `The slug "${slug}" is also that of an exam of ${where}.`,
  ),
  'keys-contradict': error(
    'Contradicting answer keys',
    (id: string, where: string) => `Asks the same as ${id} in ${where}, with another right answer.`,
  ),
  'forms-differ': warning(
    'Accepted forms without a common one',
    (id: string, where: string) => `Asks the same as ${id} in ${where}, and accepts none of the forms that it accepts.`,
  ),
  'near-duplicate': error(
    'Near-duplicate',
    (id: string, where: string, percent: number, answers: string) =>
      `Reads like ${id} in ${where} (${percent}% of words and phrases) and has ${answers}.`,
  ),
  'same-stem': warning(
    'Same situation, other answers',
    (id: string, where: string, percent: number) =>
      `Tells nearly what ${id} in ${where} tells (${percent}% of words and phrases), with other answers.`,
  ),
  'explanation-missing': error('No explanation', () => 'The question has no explanation.'),
  'explanation-names-place': error(
    'Explanation names a letter',
    (words: string) => `The explanation names an answer by its place ("${words}"), and places change.`,
  ),
  'domain-missing': error('No domain', () => 'The question has no domain.'),
  'domain-unknown': error(
    'Domain not in the blueprint',
    (domain: string) => `"${domain}" is no domain of the exam's blueprint.`,
  ),
  'url-missing': error('No reference link', () => 'The question has no link to a reference.'),
  'url-not-https': error('Link is not https', (url: string) => `The link is no https address: ${url}`),
  'difficulty-missing': warning('No difficulty', () => 'The question has no difficulty.'),
  'review-wanted': warning('Marked for review', () => 'The question is marked for review.'),
  'fence-unclosed': error('Code without an end', (field: string) => `Fenced code in the ${field} has no end.`),
  'html-tag': error(
    'HTML tag',
    (field: string, words: string) => `The ${field} has an HTML tag, which is not shown: ${words}`,
  ),
  'entity-stray': error('HTML entity', (field: string, words: string) => `The ${field} has an HTML entity: ${words}`),
  'character-odd': error(
    'Invisible or broken character',
    (field: string, words: string) => `The ${field} has an invisible or broken character: ${words}`,
  ),
  'picture-undescribed': error(
    'Picture without a description',
    (field: string) =>
      `The ${field} has a picture without a description in words, which some learners hear instead of it.`,
  ),
  'domain-share': warning(
    'Domain share off the blueprint',
    (domain: string, share: string, weight: number, points: string) =>
      `"${domain}" has ${share}% of the questions; the blueprint says ${weight}%, give or take ${points}.`,
  ),
  'cue-finds-key': warning(
    'Key found without knowing',
    (strategy: CueStrategy, found: string, of: number, chance: string) =>
      `Whoever picks ${cueNames[strategy]} finds the key in ${found}% of ${counted(of, 'question')}; by chance it is ${chance}%.`,
  ),
  // What only questions of one type can have is in the folder of the type.
  ...REMARKS,
} as const
export type CheckCode = keyof typeof checkKinds

/** A remark of a check, with the facts that its sentence names. */
export function remark<Code extends CheckCode>(
  code: Code,
  ...facts: Parameters<(typeof checkKinds)[Code]['sentence']>
): Remark & { code: Code } {
  return { code, facts, sentence: wordCheck(code, facts) }
}

/** The sentence of a remark. */
export function wordCheck(code: CheckCode, facts: readonly (string | number)[]): string {
  const { sentence } = checkKinds[code] as RemarkKind<readonly (string | number)[]>
  return sentence(...facts)
}
