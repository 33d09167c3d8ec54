import { bodyJson } from '../parts/body-json.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import type { MarkdownPart, OwnMarkdown, TypeFormats } from '../type-formats.ts'
import { writeDropDownCard } from './drop-down-card.ts'
import { DROP_DOWN_MARK } from './drop-down-fields.ts'
import { idTexts } from './drop-down-grading.ts'
import { moodleDropDown, writeDropDownGap, writeMoodleDropDown } from './drop-down-moodle.ts'
import { qtiDropDown, writeQtiDropDown } from './drop-down-qti.ts'
import type { DropDownQuestion } from './drop-down.schema.ts'

/** What a file says about the gaps, before they are judged. */
export interface ParsedDropDown {
  readonly type: 'drop-down'
  readonly gaps: readonly { readonly options: readonly { readonly text: string; readonly isRight: boolean }[] }[]
}

const PART = /^[-*+] (\{[1-8][xX]?(?: #[A-Za-z0-9][A-Za-z0-9._-]{0,99})?\})(?: (.*)|[ \t]*$)/s
const NEARLY_PART = new RegExp(`^${DROP_DOWN_MARK}`)

/** Choices as lines `- {1} text` with the number of their gap, the right one as `- {1x} text`. */
const ownMarkdown: OwnMarkdown<'drop-down'> = {
  readPart(line) {
    const part = PART.exec(line)
    return part && { mark: part[1] ?? '', text: part[2] ?? '' }
  },
  isNearlyPart: (line) => NEARLY_PART.test(line),
  inputOf(parts) {
    const count = Math.max(0, ...parts.map(({ mark }) => numberIn(mark)))
    const gaps = Array.from({ length: count }, (_, at) =>
      givenGap(parts.filter(({ mark }) => numberIn(mark) === at + 1)),
    )
    return { type: 'drop-down', body: { gaps } }
  },
  partsOf({ id, gaps }) {
    const derived = derivePartIds(id, idTexts(gaps))
    let next = gaps.length
    return gaps.flatMap((gap, at) =>
      gap.options.map((option, place) => {
        // The first choice also tells the id of its gap, if the gap has been somewhere else before.
        const gapId = place === 0 && gap.id !== derived[at] ? ` #${gap.id}` : ''
        const mark = `- {${at + 1}${option.isRight ? 'x' : ''}${gapId}}`
        return { mark, id: option.id, derivedId: derived[next++] ?? '', text: option.text }
      }),
    )
  },
  factsOf: () => [],
}

function numberIn(mark: string): number {
  return Number(mark.charAt(1))
}

function givenGap(parts: readonly MarkdownPart[]) {
  const id = parts.flatMap(({ mark }) => / #([^}]+)\}/.exec(mark)?.[1] ?? [])[0] ?? null
  const options = parts.map((part) => ({ id: part.id, text: part.text, isRight: /^\{\dx/i.test(part.mark) }))
  return { id, options }
}

export const dropDownFormats: TypeFormats<'drop-down'> = {
  emptyBody: () => ({ type: 'drop-down', gaps: [] }),
  inputOf: ({ gaps }) => ({ type: 'drop-down', body: { gaps } }),
  keyTexts: ({ gaps }) => ['drop-down', ...gaps.flatMap((gap) => ['', ...gap.options.map(({ text }) => text)])],
  withTexts: ({ gaps }, change) => ({
    type: 'drop-down',
    gaps: gaps.map(({ options }) => ({ options: options.map((option) => ({ ...option, text: change(option.text) })) })),
  }),
  /** Only Moodle's cloze has a place for the explanation of a choice; elsewhere a question keeps it as one text. */
  explainedTexts: (of) => ('stem' in of ? [] : of.gaps.flatMap(({ options }) => options.map(({ text }) => text))),
  losses: (out, back, isSame) => (areGapsSame(out, back, isSame) ? [] : ['answers']),
  markdown: ownMarkdown,
  json: bodyJson(['gaps']),
  readers: { qti: qtiDropDown, 'moodle-xml': moodleDropDown },
  writers: {
    qti: writeQtiDropDown,
    'moodle-xml': writeMoodleDropDown,
    'moodle-gap': writeDropDownGap,
    anki: writeDropDownCard,
  },
}

function areGapsSame(
  out: DropDownQuestion,
  back: DropDownQuestion,
  isSame: (out: string, back: string) => boolean,
): boolean {
  return (
    out.gaps.length === back.gaps.length &&
    out.gaps.every(({ options }, at) => {
      const others = back.gaps[at]?.options ?? []
      return (
        options.length === others.length &&
        options.every(({ text, isRight }, place) => {
          const other = others[place]
          return other !== undefined && isRight === other.isRight && isSame(text, other.text)
        })
      )
    })
  )
}
