import { xmlText } from '../markup/xml-tree.ts'
import { rowsOf } from '../tables/table-reader.ts'
import type { ReadNote } from './anki-notes.ts'

/** The lines with which Anki begins the texts that it exports, such as `#separator:tab`. */
const HEADER = /^#(separator|html|columns|tags|deck|notetype|guid|(?:tags|deck|notetype|guid) column):(.*)$/i

export function isAnkiText(beginning: string): boolean {
  return HEADER.test(beginning.split('\n', 1)[0]?.trimEnd() ?? '')
}

const SEPARATORS: Readonly<Record<string, string>> = {
  tab: '\t',
  comma: ',',
  semicolon: ';',
  space: ' ',
  pipe: '|',
  colon: ':',
}

/** The notes of a text that Anki exported: a note a line, in columns. */
export function* notesInText(text: string): Generator<ReadNote> {
  const lines = text.split('\n')
  const count = lines.findIndex((line) => !HEADER.test(line.trimEnd()))
  const head = new Map(
    lines.slice(0, count === -1 ? lines.length : count).map((line) => {
      const [, name = '', value = ''] = HEADER.exec(line.trimEnd()) ?? []
      return [name.toLowerCase(), value] as const
    }),
  )
  const named = head.get('separator') ?? 'tab'
  const separator = SEPARATORS[named.trim().toLowerCase()] ?? (named.charAt(0) || '\t')
  const columns = (head.get('columns') ?? '').split(separator)
  const columnOf = (name: string) => Number(head.get(`${name} column`) ?? 0) - 1
  const [tags, deck] = [columnOf('tags'), columnOf('deck')]
  const apart = new Set([tags, deck, columnOf('notetype'), columnOf('guid')])
  const body = count === -1 ? '' : lines.slice(count).join('\n')
  // Anki writes what it decides for itself when nothing says it.
  const isHtml = head.get('html')?.trim().toLowerCase() !== 'false'
  for (const { line, cells } of rowsOf(body, separator)) {
    const written = cells[tags] ?? head.get('tags') ?? ''
    yield {
      line: line + Math.max(count, 0),
      deck: (cells[deck] ?? head.get('deck') ?? '').trim(),
      tags: written.split(/\s+/).filter((tag) => tag !== ''),
      fields: cells.flatMap((cell, at) =>
        apart.has(at) ? [] : [{ name: columns[at]?.trim() ?? '', html: isHtml ? cell : htmlOfText(cell) }],
      ),
    }
  }
}

function htmlOfText(text: string): string {
  return text.startsWith('{"altocert":') ? text : xmlText(text).replaceAll('\n', '<br>')
}
