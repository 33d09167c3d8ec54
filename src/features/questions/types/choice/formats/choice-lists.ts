import { normaliseLine } from '../../../question-text.ts'
import type { BoxedList, LetteredList, PartReader } from '../../type-formats.ts'
import { choiceOfNames } from './choice-parsed.ts'
import { readWrittenKey } from './choice-written-key.ts'

/** Options `A. text` with the key `ANSWER: B`, also with several letters. */
export const aikenChoice: PartReader<'choice', LetteredList> = {
  takes: () => true,
  read({ parts, key }) {
    const letters = normaliseLine(key ?? '')
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((letter) => letter !== '')
    const options = parts.map(({ letter, text }) => ({ name: letter, text }))
    return { body: choiceOfNames(options, letters), each: [] }
  },
}

/** Options `- A. text` with the key `Correct answer: B, E`. */
export const numberedChoice: PartReader<'choice', LetteredList> = {
  takes: () => true,
  read(list, notes) {
    const options = list.parts.map(({ text }) => ({ text, isRight: false }))
    return { body: readWrittenKey(options, numbersOf(list), notes), each: [] }
  },
}

/** The key as letters of the usual order or as numbers: a file does not always letter its options A, B, C. */
function numbersOf({ key, parts }: LetteredList): string {
  const isUsual = parts.every(({ letter }, place) => letter === String.fromCharCode(65 + place))
  if (isUsual || key === null) return key ?? ''
  const letters = [...key.toUpperCase().replace(/[^A-Z]/g, '')]
  return letters.map((letter) => parts.findIndex((part) => part.letter === letter) + 1 || letter).join(', ')
}

/** Options `- [x] text`. */
export const boxedChoice: PartReader<'choice', BoxedList> = {
  takes: () => true,
  read: ({ parts }) => ({
    body: { type: 'choice', options: parts.map(({ isMarked, text }) => ({ text, isRight: isMarked })) },
    each: [],
  }),
}
