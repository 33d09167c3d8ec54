import { normaliseLine } from '../../question-text.ts'
import { reason } from '../../questions.ts'
import { lostPart } from '../lost-parts.schema.ts'
import { joinExplanations } from '../part-explanations.ts'
import type { ParsedQuestion } from '../parsed-question.ts'
import { explainedTexts, isTaken, readParts } from '../../types/format-registry.ts'
import type { ReadParts } from '../../types/type-formats.ts'
import { htmlInText, htmlToMarkdown } from '../markup/html-to-markdown.ts'
import { takeTag } from '../question-tags.ts'
import { allOf, childOf, childrenOf, htmlIn, textIn, type XmlElement } from '../markup/xml-tree.ts'

const OTHER_RESPONSES = ['response_str', 'response_num', 'response_xy', 'response_grp', 'render_hotspot', 'render_fib']

/** An item of QTI 1.2: its presentation, and the points that its response processing gives. */
export function takeOldItem(read: ParsedQuestion, root: XmlElement): void {
  const presentation = childOf(root, 'presentation')
  const { feedback, points } = outcomesOf(root)
  const source = {
    root,
    lists: allOf(presentation, 'response_lid'),
    other: OTHER_RESPONSES.find((name) => allOf(presentation, name).length > 0),
    points,
    markdownOf: (element: XmlElement) => allMaterials(element, read).join('\n\n'),
  }
  if (!isTaken('qti-1', source)) {
    const { lists, other } = source
    const about = other ?? (lists.length > 1 ? `${lists.length} lists of answers` : 'no list of answers')
    read.reasons.push(reason('type-unsupported', '', about, read.line))
  }
  read.stem = materialsOf(presentation, read).join('\n\n')
  const parts = readParts('qti-1', source, read)
  read.body = parts.body
  takeFeedback(read, root, { parts, feedback })
  takeMetadata(read, root)
}

/** The texts before and around the parts, without the texts of the parts. */
function materialsOf(element: XmlElement | undefined, read: ParsedQuestion): string[] {
  return (element?.children ?? []).flatMap((child) => {
    if (typeof child === 'string' || child.name === 'response_label') return []
    return child.name === 'material' ? materialText(child, read) : materialsOf(child, read)
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
    const hasElements = child.children.some((inside) => typeof inside !== 'string')
    const html = hasElements ? htmlIn(child) : textIn(child)
    const isHtml = hasElements || /html/i.test(child.attributes['texttype'] ?? '')
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
    const given = sets.reduce((sum, set) => sum + (Number(textIn(set).trim()) || 0), 0)
    const shown = childrenOf(condition, 'displayfeedback').map(({ attributes }) => attributes['linkrefid'] ?? '')
    const [only] = names
    for (const name of names) if (sets.length > 0) points.set(name, (points.get(name) ?? 0) + given)
    for (const link of shown) if (only !== undefined && names.length === 1) feedback.set(link, only)
  }
  return { points, feedback }
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
  /^(?:qmd_itemtype|qmd_status|qmd_toolvendor|question_type|points_possible|original_answer_ids|assessment_question_identifierref|cc_profile|cc_maxattempts)$/

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
