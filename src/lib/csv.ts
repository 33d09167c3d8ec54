/** A table as CSV for spreadsheets: with CRLF, quotes where necessary, and no cell that a spreadsheet runs as a formula. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** A leading apostrophe makes a spreadsheet treat the cell as text. */
function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
