import { counted } from '../../../lib/text.ts'
import type { CheckCode, CueStrategy, Remark } from './bank-checks.schema.ts'

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

/** The sentences of the findings, each with the details it names. */
const checkSentences = {
  'question-id-twice': (id: string, where: string) => `The key "${id}" is also that of a question in ${where}.`,
  'exam-slug-twice': (slug: string, where: string) => `The slug "${slug}" is also that of an exam of ${where}.`,
  'keys-contradict': (id: string, where: string) => `Asks the same as ${id} in ${where}, with another right answer.`,
  'forms-differ': (id: string, where: string) =>
    `Asks the same as ${id} in ${where}, and accepts none of the forms that it accepts.`,
  'near-duplicate': (id: string, where: string, percent: number, answers: string) =>
    `Reads like ${id} in ${where} (${percent}% of words and phrases) and has ${answers}.`,
  'same-stem': (id: string, where: string, percent: number) =>
    `Tells nearly what ${id} in ${where} tells (${percent}% of words and phrases), with other answers.`,
  'choose-mismatch': (said: number, right: number) =>
    `The question says to choose ${said}, and ${counted(right, 'answer is', 'answers are')} right.`,
  'choose-missing': (right: number) =>
    `${counted(right, 'answer is', 'answers are')} right, and the question does not say how many to choose.`,
  'step-tells-place': (text: string) => `A step says itself where it stands: ${text}`,
  'order-ambiguous': (text: string) => `Two steps say the same, so that either may stand first: ${text}`,
  'tolerance-wide': (key: string) => `The tolerance is as great as the number, so that zero is right too: ${key}`,
  'form-covered': (form: string, by: string) => `"${by}" accepts already what "${form}" accepts.`,
  'form-takes-all': () => 'An accepted answer is only "*", so that every answer is right.',
  'area-covered': (text: string) => `An area lies within another one, so that a press could mean either: ${text}`,
  'options-alike': (text: string) => `Two options say the same, so that a prompt has two right answers: ${text}`,
  'prompts-alike': (text: string) => `Two prompts say the same, so that the option of either is right: ${text}`,
  'prompt-names-option': (text: string) => `A prompt has the words of its own option and of no other: ${text}`,
  'gap-tells-choice': (gap: number, text: string) => `The text says the right choice of gap ${gap} itself: ${text}`,
  'gap-choices-alike': (gap: number) => `Two choices of gap ${gap} say the same.`,
  'gaps-unordered': (numbers: string) => `The gaps are not numbered as they follow in the text: ${numbers}`,
  'explanation-missing': () => 'The question has no explanation.',
  'explanation-names-place': (words: string) =>
    `The explanation names an answer by its place ("${words}"), and places change.`,
  'answer-names-place': (words: string) => `An answer refers to the place of others ("${words}"), and places change.`,
  'domain-missing': () => 'The question has no domain.',
  'domain-unknown': (domain: string) => `"${domain}" is no domain of the exam's blueprint.`,
  'url-missing': () => 'The question has no link to a reference.',
  'url-not-https': (url: string) => `The link is no https address: ${url}`,
  'difficulty-missing': () => 'The question has no difficulty.',
  'review-wanted': () => 'The question is marked for review.',
  'fence-unclosed': (field: string) => `Fenced code in the ${field} has no end.`,
  'html-tag': (field: string, words: string) => `The ${field} has an HTML tag, which is not shown: ${words}`,
  'entity-stray': (field: string, words: string) => `The ${field} has an HTML entity: ${words}`,
  'character-odd': (field: string, words: string) => `The ${field} has an invisible or broken character: ${words}`,
  'picture-undescribed': (field: string) =>
    `The ${field} has a picture without a description in words, which some learners hear instead of it.`,
  'longest-is-right': (longest: number, of: number) =>
    `In ${longest} of ${of} questions with one right answer, the right one is the longest.`,
  'positions-uneven': (spread: string) => `The right answers are spread unevenly over the places A to D: ${spread}.`,
  'domain-share': (domain: string, share: string, weight: number, points: string) =>
    `"${domain}" has ${share}% of the questions; the blueprint says ${weight}%, give or take ${points}.`,
  'multiple-share': (multiple: number, of: number) =>
    `${multiple} of ${of} questions have several right answers; it should be 10 to 20%.`,
  'cue-finds-key': (strategy: CueStrategy, found: string, of: number, chance: string) =>
    `Whoever picks ${cueNames[strategy]} finds the key in ${found}% of ${counted(of, 'question')}; by chance it is ${chance}%.`,
} satisfies Record<CheckCode, (...about: never[]) => string>

/** A remark of a check, with the facts that its sentence names. */
export function remark<Code extends CheckCode>(
  code: Code,
  ...facts: Parameters<(typeof checkSentences)[Code]>
): Remark & { code: Code } {
  return { code, facts, sentence: wordCheck(code, facts) }
}

/** The sentence of a remark. */
export function wordCheck(code: CheckCode, facts: readonly (string | number)[]): string {
  const word = checkSentences[code] as (...given: readonly (string | number)[]) => string
  return word(...facts)
}
