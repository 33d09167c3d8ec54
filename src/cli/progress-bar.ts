import { counted } from '../lib/text.ts'

const WIDTH = 24

/** '[############            ] backup 50%, 1,234 of 2,468 rows' */
export function progressBar(what: string, done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${' '.repeat(WIDTH - full)}] ${what} ${Math.floor(share * 100)}%, ${done.toLocaleString('en-US')} of ${counted(total, 'row')}`
}
