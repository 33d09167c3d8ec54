import { GAP } from '../../../../lib/markdown.ts'
import { lostPart } from '../../formats/lost-parts.schema.ts'
import { childOf, childrenOf, textIn, type XmlElement } from '../../formats/markup/xml-tree.ts'
import type { BodyNotes, MoodleQuestion, PartReader, PartWriters, ReadParts } from '../type-formats.ts'
import { rightOf } from './drop-down-grading.ts'
import type { ParsedDropDown } from './drop-down-formats.ts'

type Read = ReadParts<ParsedDropDown>

/** The elements with the choices of all gaps, by Moodle's type. */
const CHOICE_ELEMENTS: Readonly<Record<string, string>> = { gapselect: 'selectoption', ddwtos: 'dragbox' }

/** `gapselect` and `ddwtos`, and `multianswer` whose parts are all choices. */
export const moodleDropDown: PartReader<'drop-down', MoodleQuestion> = {
  takes: ({ type, root }) => type in CHOICE_ELEMENTS || (type === 'multianswer' && areAllChoices(writtenText(root))),
  read: (source, notes) => (source.type === 'multianswer' ? readCloze(source, notes) : readGroups(source)),
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

/** A part of a cloze question, such as `{1:MULTICHOICE:wrong~=right#why}`; signs behind a backslash mean nothing. */
const CLOZE = /\{(\d*):([A-Z_]+):((?:\\[\s\S]|[^\\}])*)\}/g
const CHOICES = /^(?:MULTICHOICE(?:_[HV]?S?)?|MC[HV]?S?)$/

function areAllChoices(text: string): boolean {
  const kinds = [...text.matchAll(CLOZE)].map(([, , kind = '']) => kind)
  return kinds.length > 0 && kinds.every((kind) => CHOICES.test(kind))
}

function readCloze({ root, markdownOf }: MoodleQuestion, notes: BodyNotes): Read {
  const format = childOf(root, 'questiontext')?.attributes['format'] ?? 'html'
  const markdown = (text: string) => markdownOf(textElement(text, format))
  const gaps: ParsedDropDown['gaps'][number][] = []
  const each: string[] = []
  const text = writtenText(root).replaceAll(CLOZE, (_whole, _points, _kind, written: string) => {
    const choices = splitUnescaped(written, '~').map(clozeChoice)
    if (choices.some(({ percent }) => percent > 0 && percent < 100)) notes.lost.push(lostPart('credit'))
    gaps.push({
      options: choices.map((choice) => ({ text: markdown(choice.text), isRight: choice.percent === 100 })),
    })
    each.push(...choices.map(({ feedback }) => markdown(feedback)))
    return `[[${gaps.length}]]`
  })
  return { body: { type: 'drop-down', gaps }, each, stem: markdownOf(withText(root, text)) }
}

function clozeChoice(written: string): { text: string; feedback: string; percent: number } {
  const [answer = '', ...feedback] = splitUnescaped(written.trim(), '#')
  const mark = /^(?:=|%(-?\d+(?:\.\d+)?)%)/.exec(answer)
  const percent = mark === null ? 0 : mark[1] === undefined ? 100 : Number(mark[1])
  return { text: unescaped(answer.slice(mark?.[0].length ?? 0)), feedback: unescaped(feedback.join('#')), percent }
}

function splitUnescaped(text: string, sign: string): string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (piece === sign) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([}~#"\\/])/g, '$1')
}

function writtenText(root: XmlElement): string {
  return textIn(childOf(root, 'questiontext', 'text'))
}

function textElement(text: string, format: string): XmlElement {
  return { name: 'text', attributes: { format }, children: [{ name: 'text', attributes: {}, children: [text] }] }
}

/** The text of the question, changed, with the files that stand beside it. */
function withText(root: XmlElement, text: string): XmlElement | undefined {
  const element = childOf(root, 'questiontext')
  if (element === undefined) return undefined
  const children = element.children.map((child) =>
    typeof child !== 'string' && child.name === 'text' ? { ...child, children: [text] } : child,
  )
  return { ...element, children }
}

/** `gapselect` with a group for each gap: its places name the right choice by its number among all choices. */
export const writeMoodleDropDown: NonNullable<PartWriters<'drop-down'>['moodle-xml']> = (question, _each, texts) => {
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
