import { GAP } from '../../../../lib/markdown.ts'
import { lostPart } from '../../formats/lost-parts.schema.ts'
import { childOf, childrenOf, textIn } from '../../formats/markup/xml-tree.ts'
import { clozeGaps, withClozeGaps } from '../../formats/moodle/moodle-cloze.ts'
import { gapSource, htmlInGap, isCarriedByGap, type WrittenGap } from '../../formats/moodle/written-gap.ts'
import { splitExplanation } from '../../formats/part-explanations.ts'
import { textOfGap, withText, writtenText } from '../../formats/moodle/moodle-text.ts'
import type { BodyNotes, MoodleQuestion, PartReader, PartWriters, ReadParts } from '../type-formats.ts'
import { MAX_GAPS, type DropDownQuestion, type Gap } from './drop-down.schema.ts'
import { rightOf } from './drop-down-grading.ts'
import type { ParsedDropDown } from './drop-down-formats.ts'

type Read = ReadParts<ParsedDropDown>

/** The elements with the choices of all gaps, by Moodle's type. */
const CHOICE_ELEMENTS: Readonly<Record<string, string>> = { gapselect: 'selectoption', ddwtos: 'dragbox' }

/** `gapselect` and `ddwtos`, and `cloze` whose gaps are all lists. */
export const moodleDropDown: PartReader<'drop-down', MoodleQuestion> = {
  takes: ({ type, root }) => type in CHOICE_ELEMENTS || (type === 'cloze' && areAllLists(writtenText(root))),
  read: (source, notes) => (source.type === 'cloze' ? readCloze(source, notes) : readGroups(source)),
}

const CHOICE_PLACE = /\[\[(\d{1,3})\]\]/g

/** A place names its right choice by number; the choices of the same group are its list. */
function readGroups({ type, root, markdownOf }: MoodleQuestion): Read {
  const elements = childrenOf(root, CHOICE_ELEMENTS[type] ?? '')
  const choices = elements.map((element) => ({
    text: markdownOf(element),
    group: textIn(childOf(element, 'group')).trim(),
  }))
  const gaps: ParsedDropDown['gaps'][number][] = []
  const text = writtenText(root).replaceAll(CHOICE_PLACE, (place, number: string) => {
    const right = choices[Number(number) - 1]
    if (right === undefined) return place
    const ofGroup = choices.filter(({ group }) => group === right.group)
    gaps.push({ options: ofGroup.map((choice) => ({ text: choice.text, isRight: choice === right })) })
    return `[[${gaps.length}]]`
  })
  return { body: { type: 'drop-down', gaps }, each: [], stem: markdownOf(withText(root, text)) }
}

function areAllLists(text: string): boolean {
  const gaps = clozeGaps(text)
  return gaps.length > 0 && gaps.length <= MAX_GAPS && gaps.every(({ kind }) => kind === 'list')
}

function readCloze({ root, markdownOf }: MoodleQuestion, notes: BodyNotes): Read {
  const markdown = (text: string) => markdownOf(textOfGap(root, text))
  const written = clozeGaps(writtenText(root))
  if (written.some(({ weight }) => weight !== written[0]?.weight)) notes.lost.push(lostPart('weights'))
  if (written.some(({ answers }) => answers.some(({ percent }) => percent > 0 && percent < 100)))
    notes.lost.push(lostPart('credit'))
  const gaps = written.map(({ answers }) => ({
    options: answers.map(({ text, percent }) => ({ text: markdown(text), isRight: percent === 100 })),
  }))
  const each = written.flatMap(({ answers }) => answers.map(({ feedback }) => markdown(feedback)))
  const text = withClozeGaps(writtenText(root), (number) => `[[${number}]]`)
  return { body: { type: 'drop-down', gaps }, each, stem: markdownOf(withText(root, text)) }
}

type Writer = NonNullable<PartWriters<'drop-down'>['moodle-xml']>

/**
 * `ddwtos` where all gaps have one list and no choice is right twice; `cloze` where the explanation says something of single choices,
 * which the gaps of no other type do; else `gapselect`.
 */
export const writeMoodleDropDown: Writer = (question, each, texts) => {
  const cloze = writtenCloze(question)
  if (cloze !== null) return cloze
  return isOneList(question.gaps) ? writeOneList(question, each, texts) : writeLists(question, each, texts)
}

/** A question with one gap as the gap of a longer text. */
export const writeDropDownGap: NonNullable<PartWriters<'drop-down'>['moodle-gap']> = ({ gaps }) => {
  const [gap, ...others] = gaps
  if (gap === undefined || others.length > 0 || !gap.options.every(({ text }) => isCarriedByGap(text))) return null
  return gapOf(gap)
}

function gapOf({ options }: Gap): WrittenGap {
  const answers = options.map(({ text, isRight }) => ({ explained: text, source: htmlInGap(text), isRight }))
  return { name: 'MULTICHOICE_S', mark: '[[1]]', answers }
}

function writtenCloze({ stem, gaps, explanation }: DropDownQuestion): ReturnType<Writer> | null {
  const choices = gaps.flatMap(({ options }) => options.map(({ text }) => text))
  const { overall, each } = splitExplanation(explanation, choices)
  const isSaid = each.some((text) => text !== '')
  if (!isSaid || ![...choices, ...each].every(isCarriedByGap) || clozeGaps(stem).length > 0) return null
  let from = 0
  const sources = gaps.map((gap) => {
    const own = each.slice(from, from + gap.options.length)
    from += gap.options.length
    return gapSource(gapOf(gap), own)
  })
  const text = stem.replaceAll(GAP, (place, number: string) => sources[Number(number) - 1] ?? place)
  // The gaps come back in the order of the text.
  const inOrder = [...stem.matchAll(GAP)].every(([, number], at) => Number(number) === at + 1)
  return inOrder ? { type: 'cloze', settings: '', parts: '', stem: text, explanation: overall } : null
}

function isOneList(gaps: readonly Gap[]): boolean {
  const textsOf = ({ options }: Gap) => options.map(({ text }) => text)
  const [first = []] = gaps.map(textsOf)
  const right = new Set(gaps.map((gap) => rightOf(gap).text))
  const isOne = gaps.every((gap) => JSON.stringify(textsOf(gap)) === JSON.stringify(first))
  // Moodle shows its boxes as HTML.
  return gaps.length > 1 && isOne && right.size === gaps.length && !first.some((text) => /[<&]|!\[/.test(text))
}

/** `ddwtos` with one group: a place names its right choice by its number. */
const writeOneList: Writer = ({ stem, gaps }, _each, texts) => {
  const options = gaps[0]?.options ?? []
  const numberOf = (gap: Gap) => options.findIndex(({ text }) => text === rightOf(gap).text) + 1
  return {
    type: 'ddwtos',
    settings: '    <shuffleanswers>1</shuffleanswers>\n',
    parts: options
      .map(({ text }) => `    <dragbox format="markdown">${texts.textXml(text)}<group>1</group></dragbox>\n`)
      .join(''),
    stem: stem.replaceAll(GAP, (place, number: string) => {
      const gap = gaps[Number(number) - 1]
      return gap === undefined ? place : `[[${numberOf(gap)}]]`
    }),
  }
}

/** `gapselect` with a group for each gap: its places name the right choice by its number among all choices. */
const writeLists: Writer = (question, _each, texts) => {
  const all = question.gaps.flatMap((gap, at) => gap.options.map((option) => ({ option, group: at + 1 })))
  const stem = question.stem.replaceAll(GAP, (place, number: string) => {
    const gap = question.gaps[Number(number) - 1]
    return gap === undefined ? place : `[[${all.findIndex(({ option }) => option.id === rightOf(gap).id) + 1}]]`
  })
  return {
    type: 'gapselect',
    settings: '    <shuffleanswers>1</shuffleanswers>\n',
    parts: all
      .map(
        ({ option, group }) =>
          `    <selectoption format="markdown">${texts.textXml(option.text)}<group>${group}</group></selectoption>\n`,
      )
      .join(''),
    stem,
  }
}
