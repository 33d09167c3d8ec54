import { normaliseLine } from '../../question-text.ts'
import { reason } from '../../questions.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { joinExplanations } from '../part-explanations.ts'
import type { ParsedQuestion } from '../parsed-question.ts'
import { explainedTexts, isTaken, readParts } from '../../types/format-registry.ts'
import type { QtiComparison, QtiOneItem, ReadParts } from '../../types/type-formats.ts'
import { htmlInText, htmlToMarkdown } from '../markup/html-to-markdown.ts'
import { takeTag } from '../question-tags.ts'
import { allOf, childOf, childrenOf, htmlIn, textIn, type XmlElement } from '../markup/xml-tree.ts'

const OTHER_RESPONSES = ['response_xy', 'render_hotspot']
const isOrdered = ({ attributes }: XmlElement) => /^ordered$/i.test(attributes['rcardinality'] ?? '')

/** An item of QTI 1.2: its presentation, and the points that its response processing gives. */
export function takeOldItem(read: ParsedQuestion, root: XmlElement): void {
  const presentation = childOf(root, 'presentation')
  const { feedback, points } = outcomesOf(root)
  const groups = allOf(presentation, 'response_grp')
  const source = {
    root,
    lists: [...allOf(presentation, 'response_lid'), ...groups.filter(isOrdered)],
    writes: [...allOf(presentation, 'response_str'), ...allOf(presentation, 'response_num')],
    other: groups.every(isOrdered)
      ? OTHER_RESPONSES.find((name) => allOf(presentation, name).length > 0)
      : 'response_grp',
    points,
    comparisons: comparisonsOf(root),
    markdownOf: (element: XmlElement) => allMaterials(element, read).join('\n\n'),
  }
  if (!isTaken('qti-1', source)) {
    read.reasons.push(reason('type-unsupported', '', whyNone(source), read.line))
  }
  read.stem = materialsOf(presentation, read, source.lists.length > 1).join('\n\n')
  const parts = readParts('qti-1', source, read)
  read.body = parts.body
  takeFeedback(read, root, { parts, feedback })
  takeMetadata(read, root)
}

/** Why no type takes an item. */
function whyNone({ lists, writes, other }: QtiOneItem): string {
  if (other !== undefined) return other
  if (lists.length > 0 && writes.length > 0) return 'lists of answers beside texts to write'
  if (writes.length > 1) return `${writes.length} texts to write`
  if (writes.length === 1) return 'a text to write for which no answer gives points, such as an essay'
  return lists.length > 1 ? `${lists.length} different lists of answers` : 'no list of answers'
}

/** Blackboard's blocks of prompts and options, and the lists of a matching, have texts of their own. */
const OF_PARTS = /^(?:RESPONSE_BLOCK|RIGHT_MATCH_BLOCK)$/

/** The texts before and around the parts, without the texts of the parts. */
function materialsOf(element: XmlElement | undefined, read: ParsedQuestion, hasManyLists: boolean): string[] {
  return (element?.children ?? []).flatMap((child) => {
    if (typeof child === 'string' || child.name === 'response_label') return []
    if (OF_PARTS.test(child.attributes['class'] ?? '') || (hasManyLists && child.name === 'response_lid')) return []
    return child.name === 'material' ? materialText(child, read) : materialsOf(child, read, hasManyLists)
  })
}

function allMaterials(element: XmlElement, read: ParsedQuestion): string[] {
  return allOf(element, 'material').flatMap((material) => materialText(material, read))
}

function materialText(material: XmlElement, read: ParsedQuestion): string[] {
  return material.children.flatMap((child) => {
    if (typeof child === 'string') return []
    if (child.name === 'matimage')
      return [`![${normaliseLine(textIn(child))}](${encodeURI(child.attributes['uri'] ?? '')})`]
    // Blackboard's element for its own kinds of text.
    const written = childOf(child, 'mat_formattedtext') ?? child
    const hasElements = written.children.some((inside) => typeof inside !== 'string')
    const html = hasElements ? htmlIn(written) : textIn(written)
    const isHtml =
      hasElements || /html|smart_text/i.test(written.attributes['texttype'] ?? written.attributes['type'] ?? '')
    const text = isHtml ? htmlToMarkdown(html, { lost: read.lost }) : htmlInText(html, read.lost)
    return text.trim() === '' ? [] : [text]
  })
}

/** What the conditions give for the parts that they name: points, and the feedback that they show. */
function outcomesOf(root: XmlElement): { points: Map<string, number>; feedback: Map<string, string> } {
  const points = new Map<string, number>()
  const feedback = new Map<string, string>()
  for (const condition of allOf(root, 'respcondition')) {
    const names = chosenIn(childOf(condition, 'conditionvar'))
    const sets = childrenOf(condition, 'setvar')
    const given = sets.reduce((sum, set) => sum + pointsIn(set), 0)
    const shown = childrenOf(condition, 'displayfeedback').map(({ attributes }) => attributes['linkrefid'] ?? '')
    const [only] = names
    for (const name of names) if (sets.length > 0) points.set(name, (points.get(name) ?? 0) + given)
    for (const link of shown) if (only !== undefined && names.length === 1) feedback.set(link, only)
  }
  return { points, feedback }
}

/** Blackboard names the best score instead of giving it. */
function pointsIn(set: XmlElement): number {
  const written = textIn(set).trim()
  return /^SCORE\.max$/i.test(written) ? 100 : Number(written) || 0
}

const COMPARISONS = /^var(?:equal|subset|gte?|lte?)$/

function comparisonsOf(root: XmlElement): QtiComparison[] {
  return allOf(root, 'respcondition').flatMap((condition) => {
    const points = childrenOf(condition, 'setvar').reduce((sum, set) => sum + pointsIn(set), 0)
    return points > 0 ? comparedIn(childOf(condition, 'conditionvar'), points) : []
  })
}

function comparedIn(element: XmlElement | undefined, points: number): QtiComparison[] {
  return (element?.children ?? []).flatMap((child): QtiComparison[] => {
    if (typeof child === 'string' || child.name === 'not') return []
    if (!COMPARISONS.test(child.name)) return comparedIn(child, points)
    const { respident = '', index, case: cased = '' } = child.attributes
    const isCaseSensitive = /^yes$/i.test(cased)
    return [{ by: child.name, response: respident, value: textIn(child).trim(), index, isCaseSensitive, points }]
  })
}

function chosenIn(element: XmlElement | undefined): string[] {
  return (element?.children ?? []).flatMap((child) => {
    if (typeof child === 'string' || child.name === 'not') return []
    return child.name === 'varequal' || child.name === 'varsubset'
      ? textIn(child)
          .trim()
          .split(/\s*,\s*/)
      : chosenIn(child)
  })
}

function takeFeedback(
  read: ParsedQuestion,
  root: XmlElement,
  { parts, feedback }: { parts: ReadParts; feedback: Map<string, string> },
): void {
  const { body, each, names = [] } = parts
  const overall: string[] = []
  for (const said of childrenOf(root, 'itemfeedback')) {
    const text = allMaterials(said, read).join('\n\n')
    const ident = said.attributes['ident'] ?? ''
    const place = names.indexOf(feedback.get(ident) ?? ident.replace(/_fb$/, ''))
    if (place !== -1) each[place] = text
    else if (text !== '' && !overall.includes(text)) overall.push(text)
  }
  read.explanation = joinExplanations({ overall: overall.join('\n\n'), each }, explainedTexts(body))
}

const DOMAIN = /^(?:qmd_)?(?:domain|topic|subject|category)$/
const LEVEL = /^(?:qmd_)?(?:difficulty|levelofdifficulty|level)$/
/** Fields that tools write into every item for their own use. */
const OF_TOOLS =
  /^(?:qmd_itemtype|qmd_status|qmd_toolvendor|question_type|calculator_type|scoring_algorithm|points_possible|original_answer_ids|assessment_question_identifierref|cc_profile|cc_maxattempts)$/

function takeMetadata(read: ParsedQuestion, root: XmlElement): void {
  for (const field of allOf(root, 'qtimetadatafield')) {
    const name = textIn(childOf(field, 'fieldlabel')).trim().toLowerCase()
    const entry = normaliseLine(textIn(childOf(field, 'fieldentry')))
    if (entry === '' || OF_TOOLS.test(name)) continue
    if (DOMAIN.test(name)) read.facts = { ...read.facts, domain: entry }
    else if (LEVEL.test(name)) takeTag(read, entry)
    else read.lost.push(lostPart('field', name))
  }
}
