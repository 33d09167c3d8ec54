import { normaliseLine } from '../../question-text.ts'
import { identified, noteCount, noteRepeated, readBodyFields, readPartList } from '../parts/given-body.ts'
import type { Note, ReadBody } from '../type-validation.ts'
import { MAX_WRITTEN_LENGTH } from '../written/written-answer.ts'
import { MAX_FORMS } from './short-answer.schema.ts'

export const FORMS_WANTED = { least: 1, most: MAX_FORMS, wanted: 'one to twenty accepted answers' }

/** Reads `body.forms` and `body.isCaseSensitive`. In our Markdown the last is a fact beside the body. */
export const readShortAnswer: ReadBody<'short-answer'> = (given, note, id) => {
  const body = readBodyFields(given, note)
  const nameOf = (place: number) => `Accepted answer ${place + 1}`
  const forms = readPartList(body, 'forms', { note, nameOf }).map((form) => ({
    ...form,
    text: normaliseLine(form.text.normalize('NFC')),
  }))
  noteCount(forms.length, FORMS_WANTED, 'body.forms', note)
  const long = forms.findIndex(({ text }) => text.length > MAX_WRITTEN_LENGTH)
  if (long !== -1) note('parts-count', `body.forms.${long}`, 'accepted answers of at most 100 characters')
  noteRepeated(
    forms.map(({ text }) => text),
    'body.forms',
    note,
  )
  return {
    type: 'short-answer',
    forms: identified(id, forms, note).map((form) => ({ id: form.id, text: form.text })),
    isCaseSensitive: readCase(body.get('isCaseSensitive') ?? given.get('case'), note),
  }
}

function readCase(value: unknown, note: Note): boolean {
  if (value === undefined || value === null || value === '') return false
  const written = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (written === true || written === 'true') return true
  if (written !== false && written !== 'false')
    note('body-wrong', 'body.isCaseSensitive', 'whether case matters is neither true nor false')
  return false
}
