import type { QtiTexts } from '../../types/type-formats.ts'
import { markdownToInlineHtml } from '../markup/markdown-to-html.ts'
import { xmlText } from '../markup/xml-tree.ts'

/** The versions that are written: 2.2 and 3.0. They differ in names, and in what `VERSIONS` says. */
export type WrittenVersion = 'qti-2' | 'qti-3'

interface VersionFacts {
  /** The namespace of items, tests and stimuli. */
  readonly itemSchema: string
  readonly packageSchema: string
  /** What the manifest says of itself. */
  readonly schema: string
  readonly schemaVersion: string
  readonly matchCorrect: string
  /** The end of the types of resources. */
  readonly resourceType: string
}

export const VERSIONS: Record<WrittenVersion, VersionFacts> = {
  'qti-2': {
    itemSchema: 'http://www.imsglobal.org/xsd/imsqti_v2p2',
    packageSchema: 'http://www.imsglobal.org/xsd/imscp_v1p1',
    schema: 'QTIv2.2 Package',
    schemaVersion: '1.0.0',
    matchCorrect: 'http://www.imsglobal.org/question/qti_v2p2/rptemplates/match_correct',
    resourceType: 'xmlv2p2',
  },
  'qti-3': {
    itemSchema: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
    packageSchema: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1',
    schema: 'QTI Package',
    schemaVersion: '3.0.0',
    matchCorrect: 'https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml',
    resourceType: 'xmlv3p0',
  },
}

/** The parts of questions in one version. @param addressOf the address of an image in the file */
export function qtiTexts(version: WrittenVersion, addressOf: (address: string) => string): QtiTexts {
  const element = elementsOf(version)
  const htmlOf = (text: string) => markdownToInlineHtml(text, addressOf)
  return {
    htmlOf,
    inlineOf: (text) => inLines(text, htmlOf(text)),
    element,
    declared(attributes, values, ...inside) {
      const correct = values.map((value) => element('value', {}, xmlText(value)))
      return element(
        'responseDeclaration',
        { identifier: 'RESPONSE', ...attributes },
        element('correctResponse', {}, correct.join('')),
        ...inside,
      )
    },
    pictureXml(image, size) {
      const [, source = '', alt = ''] = /<img src="([^"]*)" alt="([^"]*)"\/>/.exec(htmlOf(image)) ?? []
      if (version === 'qti-3') return `<img src="${source}" alt="${alt}"${attributesXml(size)}/>`
      // QTI 2 wants an object, and its type.
      return `<object data="${source}" type="${imageType(source)}"${attributesXml(size)}>${alt}</object>`
    },
  }
}

const BLOCK = /<(\/?)(?:p|h4|pre|ul|ol|li|blockquote|table|thead|tbody|tr|t[hd]|hr)\b[^>]*>/g

/** A list of one line, such as `*`, is a sign that stays as it is written. */
function inLines(text: string, html: string): string {
  const lines = html.replaceAll(BLOCK, (_, slash: string) => (slash === '' ? '' : '<br/>'))
  if (lines === html) return html
  const isSign = !text.includes('\n') || /^(?:<br\/>|\s)*$/.test(lines)
  return isSign ? xmlText(text) : lines.replaceAll(/(?:<br\/>)+/g, '<br/>').replace(/<br\/>$/, '')
}

/** Names are those of QTI 2. QTI 3 spells `simpleChoice` as `qti-simple-choice`, and `maxChoices` as `max-choices`. */
export function elementsOf(version: WrittenVersion): QtiTexts['element'] {
  const nameOf = version === 'qti-3' ? newerName : (name: string) => name
  return (name, attributes, ...inside) => {
    const own = version === 'qti-3' ? `qti-${nameOf(name)}` : name
    const head = own + attributesXml(attributes, nameOf)
    if (inside.length === 0) return `<${head}/>`
    return `<${head}>${inside.length === 1 ? inside.join('') : `\n${inside.join('\n')}\n`}</${own}>`
  }
}

function newerName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The name in QTI 2 of an element or attribute of QTI 3. */
export function olderName(name: string): string {
  // Most names are one word.
  if (!name.includes('-') || /^(?:data-|xml)/.test(name)) return name
  const known = olderNames.get(name)
  if (known !== undefined) return known
  const older = name.replace(/^qti-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  // A file can invent any number of names.
  if (olderNames.size < MOST_NAMES) olderNames.set(name, older)
  return older
}

const olderNames = new Map<string, string>()
const MOST_NAMES = 1000

function attributesXml(
  attributes: Parameters<QtiTexts['element']>[1],
  nameOf: (name: string) => string = (name) => name,
): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${nameOf(name)}="${attributeText(String(value))}"`,
  )
  return written.join('')
}

/** A line feed in an attribute would be read as a blank. */
function attributeText(text: string): string {
  return xmlText(text).replaceAll('\n', '&#10;')
}

function imageType(source: string): string {
  const ending = /\.(\w+)$/.exec(source)?.[1]?.toLowerCase() ?? ''
  return `image/${{ jpg: 'jpeg', svg: 'svg+xml' }[ending] ?? (ending || 'png')}`
}
