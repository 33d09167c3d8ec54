import { copy } from '../app.copy.ts'

/** The id of the place that pages keep for the sentence. */
export const AWAY_LINE = 'away-line'

const place = new RegExp(`<p id="${AWAY_LINE}"[^>]*>(?=</p>)`)

/** The page with the sentence that it is shown while the database is away. Null for what has no place for it, such as a page's data. */
export function withAwayLine(html: string): string | null {
  return place.test(html) ? html.replace(place, (start) => start + copy['away.line']) : null
}
