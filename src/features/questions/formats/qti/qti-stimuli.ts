import { caseStudyTexts, readCaseStudy, withCaseStudyTexts } from '../../case-studies/case-studies.ts'
import { CASE_STUDY_QUESTIONS, MAX_TABS, type CaseStudy } from '../../case-studies/case-study.schema.ts'
import { shownImages, withAddresses } from '../../image-addresses.ts'
import { normaliseLine } from '../../question-text.ts'
import { isPathAmongFiles, readImage, resolvePath } from '../bank-images.ts'
import type { AttachedImage, ReadStep, SourceFile } from '../formats.schema.ts'
import { treeToMarkdown } from '../markup/html-to-markdown.ts'
import { markdownToHtml } from '../markup/markdown-to-html.ts'
import { childOf, childrenOf, parseXml, slicesOf, textIn, xmlText, type XmlElement } from '../markup/xml-tree.ts'
import { elementsOf, VERSIONS, type WrittenVersion } from './qti-texts.ts'
import { findingStep, type ParsedQuestion, type Reading } from '../parsed-question.ts'
import { decodeText } from '../text-decoding.ts'

/*
 * A shared stimulus of QTI 2.2 and 3.0 is a file of its own that items name. Two to eight items in a row that name one are a case study.
 * A stimulus that is used otherwise stands in front of the stem of each item.
 */

/** A stimulus as a case study, or as a text in front of each stem. */
type Stimulus = { readonly path: string; readonly caseStudy: CaseStudy | null; readonly text: string; isTold: boolean }

export type Stimuli = {
  /** Puts the stimulus of an item into the question. @returns the steps that come before it */
  take(read: ParsedQuestion, item: XmlElement): ReadStep[]
}

type NameOf = (name: string) => string

/** Reads every stimulus that the items of a bank name. @param files the files of the items, in the order in which they are read */
export function readStimuli(
  files: readonly SourceFile[],
  { element, nameOf, reading }: { element: string; nameOf: NameOf | undefined; reading: Reading },
): Stimuli {
  const places = placesOf(files, element)
  const taken = new Set<string>()
  const stimuli = new Map<string, Stimulus | null>()
  for (const [path, own] of places) {
    const isCaseStudy = own.length >= CASE_STUDY_QUESTIONS.min && own.length <= CASE_STUDY_QUESTIONS.max
    const isInRow = own.every((place, at) => place === (own[0] ?? 0) + at)
    stimuli.set(path, readStimulus(path, { isShared: isCaseStudy && isInRow, nameOf, reading, taken }))
  }
  return {
    take(read, item) {
      const steps: ReadStep[] = []
      for (const { attributes } of childrenOf(item, 'assessmentStimulusRef')) {
        const path = resolvePath(read.file, attributes['href'] ?? '')
        const stimulus = stimuli.get(path)
        if (!stimulus) {
          const about = 'an item names this stimulus, and it is not there.'
          if (stimulus === null) steps.push(findingStep('file-unreadable', { file: path, about }))
          stimuli.delete(path)
        } else if (stimulus.caseStudy === null) {
          const toTop = '../'.repeat(read.file.split('/').length - 1)
          read.stem = `${withPaths(stimulus.text, path, toTop)}\n\n${read.stem}`
        } else {
          read.facts = { ...read.facts, case_study: stimulus.caseStudy.id }
          if (!stimulus.isTold) steps.push(...stepsOf(stimulus.caseStudy, path, reading))
          stimulus.isTold = true
        }
      }
      return steps
    },
  }
}

/** The places of the items that name each stimulus, counted over all files. */
function placesOf(files: readonly SourceFile[], element: string): Map<string, number[]> {
  const places = new Map<string, number[]>()
  let place = 0
  for (const { path, bytes } of files)
    for (const { text } of slicesOf(decodeText(bytes).text, element)) {
      for (const [, href = ''] of text.matchAll(REFERENCE)) {
        const stimulus = resolvePath(path, href)
        places.set(stimulus, [...(places.get(stimulus) ?? []), place])
      }
      place += 1
    }
  return places
}

const REFERENCE = /<(?:\w+:)?(?:qti-assessment-stimulus-ref|assessmentStimulusRef)\b[^<>]*?\bhref="([^"<>]*)"/g

function readStimulus(
  path: string,
  given: { isShared: boolean; nameOf: NameOf | undefined; reading: Reading; taken: Set<string> },
): Stimulus | null {
  const file = given.reading.files.get(path)
  if (!file) return null
  given.reading.used.add(path)
  const { root } = parseXml(decodeText(file.bytes).text, given.nameOf)
  const body = childOf(root ?? undefined, 'stimulusBody')
  if (!root || !body) return null
  const text = markdownIn(body.children)
  if (!given.isShared) return { path, caseStudy: null, text, isTold: false }
  const id = freeKey(root.attributes['identifier'] ?? '', given.taken)
  const title = normaliseLine(root.attributes['title'] ?? '').slice(0, 200) || 'Case study'
  const caseStudy = readCaseStudy({ id, title, tabs: tabsIn(body, title) }, () => undefined)
  return { path, caseStudy, text, isTold: false }
}

const markdownIn = (children: XmlElement['children']) => treeToMarkdown(children, { lost: [] })

/** A body of sections that each begin with a heading has a tab for each; any other body is one tab. */
function tabsIn(body: XmlElement, title: string): { id?: string; title: string; body: string }[] {
  const sections = body.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  const tabs = sections.flatMap((section) => tabIn(section) ?? [])
  const isTabs = tabs.length === sections.length && tabs.length > 0 && tabs.length <= MAX_TABS
  return isTabs ? tabs : [{ title: title.slice(0, 100), body: markdownIn(body.children) }]
}

function tabIn(section: XmlElement | string): { id?: string; title: string; body: string } | null {
  if (typeof section === 'string' || !/^(?:div|section)$/.test(section.name)) return null
  const [heading, ...rest] = section.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  if (heading === undefined || typeof heading === 'string' || !/^h[1-6]$/.test(heading.name)) return null
  // Our earlier exports have an attribute of their own.
  const id = section.attributes['data-tab'] ?? /^tab-(.+)/.exec(section.attributes['id'] ?? '')?.[1]
  return {
    ...(id !== undefined && { id }),
    title: normaliseLine(textIn(heading)).slice(0, 100),
    body: markdownIn(rest),
  }
}

/** A key for an identifier of the file, which may begin with other signs. */
function freeKey(identifier: string, taken: Set<string>): string {
  const plain = identifier.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  const wanted = plain.slice(0, 90) || 'case-study'
  let key = wanted
  for (let turn = 2; taken.has(key); turn += 1) key = `${wanted}-${turn}`
  taken.add(key)
  return key
}

function withPaths(text: string, from: string, toTop: string): string {
  return withAddresses(text, (address) =>
    isPathAmongFiles(address) ? encodeURI(toTop + resolvePath(from, address)) : undefined,
  )
}

function stepsOf(caseStudy: CaseStudy, file: string, reading: Reading): ReadStep[] {
  const images: AttachedImage[] = []
  const shown = withCaseStudyTexts(caseStudy, (text) =>
    withAddresses(text, (address) => {
      const path = isPathAmongFiles(address) ? resolvePath(file, address) : ''
      const image = reading.files.get(path)
      if (!image) return undefined
      reading.used.add(path)
      return readImage(images, path.split('/').at(-1) ?? path, image.bytes)
    }),
  )
  const missing = new Set(caseStudyTexts(shown).flatMap(shownImages).filter(isPathAmongFiles))
  return [
    ...[...missing].map((about) => findingStep('case-study-picture-missing', { file, about, severity: 'warning' })),
    { kind: 'case-study', file, line: 1, caseStudy: shown, images },
  ]
}

/** An identifier of QTI, which does not begin with a digit. */
export const stimulusIdOf = (caseStudyId: string) => caseStudyId.replace(/^(?=\d)/, '_')

/** A stimulus of QTI 2.2 or 3.0: a section with a heading for each tab. */
export function stimulusXml(
  { id, title, tabs }: CaseStudy,
  { version, addressOf }: { version: WrittenVersion; addressOf: (address: string) => string },
): string {
  const element = elementsOf(version)
  const sections = tabs.map(
    (tab) =>
      `<div id="tab-${xmlText(tab.id)}"><h2>${xmlText(tab.title)}</h2>${markdownToHtml(tab.body, addressOf)}</div>`,
  )
  return element(
    'assessmentStimulus',
    { xmlns: VERSIONS[version].itemSchema, identifier: stimulusIdOf(id), title, 'xml:lang': 'en' },
    element('stimulusBody', {}, sections.join('\n')),
  )
}

/** The images that a case study shows, by their address. */
export const imagesOfCaseStudy = (caseStudy: CaseStudy) => caseStudyTexts(caseStudy).flatMap(shownImages)
