import { escapeGift } from '../../formats/gift-syntax.ts'
import { xmlText } from '../../formats/markup/xml-tree.ts'
import { writtenCard } from '../parts/card-parts.ts'
import { plainBodyJson } from '../parts/body-json.ts'
import type { OwnMarkdown, PartWriters, TypeFormats } from '../type-formats.ts'
import { keyLine } from './numerical-grading.ts'
import { giftNumerical, moodleNumerical, qtiNumerical, qtiOneNumerical } from './numerical-readers.ts'

/** What a file says about the number, before it is judged. */
export interface ParsedNumerical {
  readonly type: 'numerical'
  readonly value: string
  readonly tolerance: string
  readonly unit: string
}

const PART = /^[-*+] \[=\](?: (.*)|[ \t]*$)/s
const NEARLY_PART = /^[-*+][ \t]*\[[ \t]*=[ \t]*\]/

/** The number as a line `- [=] 42`; tolerance and unit are facts. */
const ownMarkdown: OwnMarkdown<'numerical'> = {
  readPart(line) {
    const part = PART.exec(line)
    return part && { mark: '=', text: part[1] ?? '' }
  },
  isNearlyPart: (line) => NEARLY_PART.test(line),
  // Two numbers are none.
  inputOf: (parts) => ({ type: 'numerical', body: { value: parts.map(({ text }) => text.trim()).join(' / ') } }),
  partsOf: ({ value }) => [{ mark: '- [=]', id: '', derivedId: '', text: value }],
  factsOf: ({ tolerance, unit }) => [
    ['tolerance', /[1-9]/.test(tolerance) ? tolerance : ''],
    ['unit', unit],
  ],
}

const writeMoodle: NonNullable<PartWriters<'numerical'>['moodle-xml']> = (
  { value, tolerance, unit },
  [feedback = ''],
  texts,
) => ({
  type: 'numerical',
  settings:
    unit === ''
      ? '    <unitgradingtype>0</unitgradingtype>\n    <showunits>3</showunits>\n'
      : `    <units><unit><multiplier>1</multiplier><unit_name>${xmlText(unit)}</unit_name></unit></units>\n    <unitgradingtype>0</unitgradingtype>\n    <showunits>0</showunits>\n`,
  parts: `    <answer fraction="100" format="plain_text"><text>${value}</text>${texts.elementXml('feedback', feedback)}<tolerance>${tolerance}</tolerance></answer>\n`,
})

/** A gap has no place for a unit, and reads plain decimals alone. */
const writeGap: NonNullable<PartWriters<'numerical'>['moodle-gap']> = ({ value, tolerance, unit }) => {
  const isPlain = (number: string) => /^-?\d+(?:\.\d+)?$/.test(number)
  if (unit !== '' || !isPlain(value) || !isPlain(tolerance)) return null
  const source = /[1-9]/.test(tolerance) ? `${value}:${tolerance}` : value
  return { name: 'NUMERICAL', answers: [{ explained: value, source, isRight: true }] }
}

/** QTI has no place for the unit of a number: it is reported as a loss. */
const writeQti: NonNullable<PartWriters<'numerical'>['qti']> = ({ value, tolerance }, { element, declared }) => ({
  declarations: [declared({ cardinality: 'single', baseType: 'float' }, [value])],
  interaction: `<div>${element('textEntryInteraction', { responseIdentifier: 'RESPONSE', expectedLength: 20 })}</div>`,
  condition: element(
    'equal',
    { toleranceMode: 'absolute', tolerance: `${tolerance} ${tolerance}` },
    element('variable', { identifier: 'RESPONSE' }),
    element('correct', { identifier: 'RESPONSE' }),
  ),
})

export const numericalFormats: TypeFormats<'numerical'> = {
  emptyBody: () => ({ type: 'numerical', value: '', tolerance: '0', unit: '' }),
  inputOf: ({ value, tolerance, unit }) => ({ type: 'numerical', body: { value, tolerance, unit } }),
  keyTexts: ({ value, tolerance, unit }) => ['numerical', value, tolerance, unit],
  withTexts: (body) => body,
  explainedTexts: ({ value }) => [value],
  losses: (out, back) => (keyLine(out) === keyLine(back) ? [] : ['answers']),
  markdown: ownMarkdown,
  json: plainBodyJson(['value', 'tolerance', 'unit']),
  readers: { gift: giftNumerical, 'moodle-xml': moodleNumerical, qti: qtiNumerical, 'qti-1': qtiOneNumerical },
  writers: {
    // GIFT has no place for the unit: it is reported as a loss.
    gift: ({ value, tolerance }, [feedback = '']) =>
      `  #=${value}:${tolerance}${feedback === '' ? '' : ` #${escapeGift(feedback)}`}\n`,
    'moodle-xml': writeMoodle,
    'moodle-gap': writeGap,
    qti: writeQti,
    anki: (question) => writtenCard([xmlText(keyLine(question))]),
  },
}
