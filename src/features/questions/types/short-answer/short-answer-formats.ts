import { escapeGift, giftParts, indexOfSign, unescaped } from '../../formats/gift-syntax.ts'
import { lostPart } from '../../formats/lost-parts.schema.ts'
import { allOf, childOf, childrenOf, textIn, xmlText } from '../../formats/markup/xml-tree.ts'
import { writtenCard } from '../parts/card-parts.ts'
import { BLANK, withPlainBlank } from '../../formats/blank.ts'
import { loneGap, withClozeGaps } from '../../formats/moodle/moodle-cloze.ts'
import { plainInGap } from '../../formats/moodle/written-gap.ts'
import { textOfGap, withText, writtenText } from '../../formats/moodle/moodle-text.ts'
import { plainBodyJson } from '../parts/body-json.ts'
import { derivePartIds } from '../parts/part-ids.ts'
import type {
  BodyNotes,
  GiftBlock,
  MoodleQuestion,
  OwnMarkdown,
  PartReader,
  PartWriters,
  QtiItem,
  QtiOneItem,
  ReadParts,
  TypeFormats,
  WrittenAnswer,
} from '../type-formats.ts'
import { acceptedTexts, formsHint } from './short-answer-texts.ts'
import { formOfText, sameText, textOfForm } from './accepted-forms.ts'

/** What a file says about the accepted forms, before they are judged. */
export interface ParsedShortAnswer {
  readonly type: 'short-answer'
  readonly forms: readonly string[]
  readonly isCaseSensitive: boolean
}

type Credited = { readonly text: string; readonly percent: number; readonly feedback: string }

/** The forms that give most; those that give less are partial credit, which the bank does not hold. */
function bestOf(forms: readonly Credited[], notes: BodyNotes): Credited[] {
  const most = Math.max(0, ...forms.map(({ percent }) => percent))
  if (forms.some(({ percent }) => percent > 0 && percent < most)) notes.lost.push(lostPart('credit'))
  const best = forms.filter(({ percent }) => percent > 0 && percent === most)
  if (forms.some((form) => !best.includes(form) && form.feedback.trim() !== ''))
    notes.lost.push(lostPart('field', 'feedback'))
  return best
}

/** A block of parts that all begin with `=`, and are not all pairs of a matching. */
const giftShortAnswer: PartReader<'short-answer', GiftBlock> = {
  takes({ content }) {
    if (!content.startsWith('=') || indexOfSign(content, '~') !== -1) return false
    return giftParts(content).some(({ text }) => !text.includes('->'))
  },
  read({ content, textOf }, notes) {
    const forms = bestOf(
      giftParts(content).map(({ weight, text, feedback }) => ({
        text: unescaped(text).trim(),
        percent: weight ?? 100,
        feedback: textOf(feedback),
      })),
      notes,
    )
    return readForms(forms, false)
  },
}

/** Moodle's type `shortanswer`, whose answers are plain text whatever format they name, and `cloze` with one text to write. */
const moodleShortAnswer: PartReader<'short-answer', MoodleQuestion> = {
  takes: ({ type, root }) =>
    type === 'shortanswer' || (type === 'cloze' && loneGap(writtenText(root))?.kind === 'text'),
  read(source, notes) {
    const { type, root, markdownOf } = source
    if (type === 'cloze') return readCloze(source, notes)
    const forms = childrenOf(root, 'answer').map((element) => ({
      text: textIn(childOf(element, 'text')).trim(),
      percent: Number(element.attributes['fraction'] ?? '0') || 0,
      feedback: markdownOf(childOf(element, 'feedback')),
    }))
    return readForms(bestOf(forms, notes), /^(?:1|true)$/.test(textIn(childOf(root, 'usecase')).trim()))
  },
}

function readCloze({ root, markdownOf }: MoodleQuestion, notes: BodyNotes): ReadParts<ParsedShortAnswer> {
  const text = writtenText(root)
  const gap = loneGap(text)
  const forms = (gap?.answers ?? []).map((answer) => ({
    text: answer.text.trim(),
    percent: answer.percent,
    feedback: markdownOf(textOfGap(root, answer.feedback)),
  }))
  return {
    ...readForms(bestOf(forms, notes), gap?.name.endsWith('C') === true),
    stem: withPlainBlank(
      markdownOf(
        withText(
          root,
          withClozeGaps(text, () => BLANK),
        ),
      ),
    ),
  }
}

function readForms(forms: readonly Credited[], isCaseSensitive: boolean) {
  return {
    body: { type: 'short-answer' as const, forms: forms.map(({ text }) => text), isCaseSensitive },
    each: forms.map(({ feedback }) => feedback),
  }
}

/** QTI 2 and 3: a `textEntryInteraction` for a text, with a correct response, a mapping, or both. */
const qtiShortAnswer: PartReader<'short-answer', QtiItem> = {
  takes: ({ interactions, response }) =>
    interactions.length === 1 &&
    interactions[0]?.name === 'textEntryInteraction' &&
    (response?.attributes['baseType'] ?? 'string') === 'string',
  read({ response }, notes) {
    const entries = allOf(childOf(response, 'mapping'), 'mapEntry').map(({ attributes }) => ({
      text: (attributes['mapKey'] ?? '').trim(),
      percent: Number(attributes['mappedValue'] ?? '0') || 0,
      feedback: '',
      isCaseSensitive: attributes['caseSensitive'] !== 'false',
    }))
    const correct = textIn(childOf(response, 'correctResponse', 'value')).trim()
    const texts = [...(correct === '' ? [] : [correct]), ...bestOf(entries, notes).map(({ text }) => text)]
    const isCaseSensitive = entries.every((entry) => entry.isCaseSensitive)
    // An asterisk is no wildcard there.
    return { body: { type: 'short-answer', forms: [...new Set(texts.map(formOfText))], isCaseSensitive }, each: [] }
  },
}

/** QTI 1: a `response_str` for which an answer gives points. `varsubset` accepts every text that has the value in it. */
const qtiOneShortAnswer: PartReader<'short-answer', QtiOneItem> = {
  takes: ({ lists, writes, other, comparisons }) =>
    writes.length === 1 && lists.length === 0 && other === undefined && comparisons.some(({ value }) => value !== ''),
  read({ comparisons }, notes) {
    const forms = comparisons.flatMap(({ by, value, points }) =>
      value === ''
        ? []
        : [{ text: by === 'varsubset' ? `*${formOfText(value)}*` : formOfText(value), percent: points, feedback: '' }],
    )
    const best = bestOf(forms, notes).map(({ text }) => text)
    const isCaseSensitive = comparisons.every((comparison) => comparison.isCaseSensitive)
    const known = new Set<string>()
    const isNew = (form: string) => {
      const same = sameText(form, isCaseSensitive)
      return !known.has(same) && known.add(same).has(same)
    }
    // Exporters write an answer in each way to capitalize it.
    return { body: { type: 'short-answer', forms: best.filter(isNew), isCaseSensitive }, each: [] }
  },
}

/** QTI has no wildcards: they are written as asterisks, and reported as a loss. */
const writeQti: NonNullable<PartWriters<'short-answer'>['qti']> = (
  { forms, isCaseSensitive },
  { element, declared },
) => {
  const texts = forms.map(({ text }) => textOfForm(text))
  const entries = texts.map((mapKey) => element('mapEntry', { mapKey, mappedValue: 1, caseSensitive: isCaseSensitive }))
  const mapping = element('mapping', { defaultValue: 0 }, ...entries)
  return {
    declarations: [declared({ cardinality: 'single', baseType: 'string' }, texts.slice(0, 1), mapping)],
    interaction: `<div>${element('textEntryInteraction', { responseIdentifier: 'RESPONSE', expectedLength: 30 })}</div>`,
    condition: element(
      'gt',
      {},
      element('mapResponse', { identifier: 'RESPONSE' }),
      element('baseValue', { baseType: 'float' }, '0'),
    ),
  }
}

const writeMoodle: NonNullable<PartWriters<'short-answer'>['moodle-xml']> = (question, each, texts) => ({
  type: 'shortanswer',
  settings: `    <usecase>${question.isCaseSensitive ? 1 : 0}</usecase>\n`,
  parts: question.forms
    .map(({ text }, place) => {
      const feedback = texts.elementXml('feedback', each[place] ?? '')
      return `    <answer fraction="100" format="plain_text"><text>${xmlText(text)}</text>${feedback}</answer>\n`
    })
    .join(''),
})

const writeGap: NonNullable<PartWriters<'short-answer'>['moodle-gap']> = ({ forms, isCaseSensitive }) => {
  const answers = forms.flatMap(({ text }) => {
    const source = plainInGap(text)
    return source === null ? [] : [{ explained: text, source, isRight: true }]
  })
  if (answers.length < forms.length) return null
  return { name: isCaseSensitive ? 'SHORTANSWER_C' : 'SHORTANSWER', answers }
}

/** GIFT can't say that case matters: that is reported as a loss. */
const writeGift: NonNullable<PartWriters<'short-answer'>['gift']> = ({ forms }, each) =>
  forms
    .map(({ text }, place) => `  =${escapeGift(text)}${each[place] ? ` #${escapeGift(each[place])}` : ''}\n`)
    .join('')

/** The back of a card. An asterisk is no wildcard there. */
const ankiShortAnswer: PartReader<'short-answer', WrittenAnswer> = {
  takes: () => true,
  read: ({ answer }) => ({
    body: { type: 'short-answer', forms: [formOfText(answer)], isCaseSensitive: false },
    each: [],
  }),
}

/** The forms as they are written; a hint says what an asterisk stands for. */
const writeCard: NonNullable<PartWriters<'short-answer'>['anki']> = (question) => {
  const { front, back } = writtenCard(acceptedTexts(question).map(xmlText))
  const hint = formsHint(question)
  return { front, back: hint === null ? back : `${back}<p>${xmlText(hint)}</p>` }
}

const PART = /^[-*+] \[~\](?: (.*)|[ \t]*$)/s
const NEARLY_PART = /^[-*+][ \t]*\[[ \t]*~[ \t]*\]/

/** Accepted forms as lines `- [~] form`. */
const ownMarkdown: OwnMarkdown<'short-answer'> = {
  readPart(line) {
    const part = PART.exec(line)
    return part && { mark: '~', text: part[1] ?? '' }
  },
  isNearlyPart: (line) => NEARLY_PART.test(line),
  inputOf: (parts) => ({ type: 'short-answer', body: { forms: parts.map(({ id, text }) => ({ id, text })) } }),
  partsOf(question) {
    const derived = derivePartIds(
      question.id,
      question.forms.map(({ text }) => text),
    )
    return question.forms.map(({ id, text }, place) => ({
      mark: '- [~]',
      id,
      derivedId: derived[place] ?? '',
      text,
    }))
  },
  factsOf: ({ isCaseSensitive }) => [['case', isCaseSensitive ? 'true' : '']],
}

export const shortAnswerFormats: TypeFormats<'short-answer'> = {
  emptyBody: () => ({ type: 'short-answer', forms: [], isCaseSensitive: false }),
  inputOf: ({ forms, isCaseSensitive }) => ({ type: 'short-answer', body: { forms, isCaseSensitive } }),
  keyTexts: ({ forms }) => ['short-answer', ...forms],
  withTexts: (body) => body,
  explainedTexts: ({ forms }) => forms.map((form) => (typeof form === 'string' ? form : form.text)),
  losses: (out, back) =>
    out.isCaseSensitive === back.isCaseSensitive &&
    JSON.stringify(out.forms.map(({ text }) => text)) === JSON.stringify(back.forms.map(({ text }) => text))
      ? []
      : ['answers'],
  markdown: ownMarkdown,
  json: plainBodyJson(['forms', 'isCaseSensitive']),
  readers: {
    anki: ankiShortAnswer,
    gift: giftShortAnswer,
    'moodle-xml': moodleShortAnswer,
    qti: qtiShortAnswer,
    'qti-1': qtiOneShortAnswer,
  },
  writers: { gift: writeGift, 'moodle-xml': writeMoodle, 'moodle-gap': writeGap, qti: writeQti, anki: writeCard },
}
