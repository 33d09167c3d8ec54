import { addDays, type CalendarDay } from '../../../lib/calendar-day.ts'

/** An event of a whole day. */
export type CalendarEvent = {
  /** Stays the same however often the calendar is written: a later event with the same id replaces an earlier one. */
  readonly id: string
  readonly day: CalendarDay
  readonly title: string
  readonly text: string
  readonly url: string
  /** Whether calendars show the day as taken. */
  readonly isBusy: boolean
}

export type Calendar = {
  readonly name: string
  readonly events: readonly CalendarEvent[]
  readonly at: Date
  /** How often subscribers should ask again. */
  readonly refreshHours: number
}

/** The longest line in octets, without its end (RFC 5545, 3.1). */
const LINE_OCTETS = 75
const MINUTE_MS = 60_000

/** A calendar as RFC 5545 writes it, with the names and times of RFC 7986. */
export function writeCalendar({ name, events, at, refreshHours }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Altocert//Study plan//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${textOf(name)}`,
    `X-WR-CALNAME:${textOf(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshHours}H`,
    `X-PUBLISHED-TTL:PT${refreshHours}H`,
    ...events.flatMap((event) => linesOf(event, at)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function linesOf({ id, day, title, text, url, isBusy }: CalendarEvent, at: Date): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${textOf(id)}`,
    `DTSTAMP:${instantOf(at)}`,
    `LAST-MODIFIED:${instantOf(at)}`,
    // The plan has no versions, it is computed each time. The minute only has to grow, so that a later file is known as the later one.
    `SEQUENCE:${Math.floor(at.getTime() / MINUTE_MS)}`,
    `DTSTART;VALUE=DATE:${dateOf(day)}`,
    // The day after the last one.
    `DTEND;VALUE=DATE:${dateOf(addDays(day, 1))}`,
    `SUMMARY:${textOf(title)}`,
    `DESCRIPTION:${textOf(text)}`,
    `URL:${url}`,
    `TRANSP:${isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ]
}

const dateOf = (day: CalendarDay) => day.replaceAll('-', '')

/** '20261124T191500Z' */
const instantOf = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** A value of the type TEXT. Control characters are not allowed in one, and a bare CR would begin a new line. */
function textOf(text: string): string {
  return [...text.replaceAll(/\r\n?/g, '\n')]
    .filter((character) => (character >= ' ' && character !== '\u007f') || character === '\n' || character === '\t')
    .join('')
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n')
}

/** A line in pieces of at most 75 octets. No piece ends within a character: some readers decode each piece alone. */
function folded(line: string): string {
  const pieces: string[] = []
  let [piece, octets] = ['', 0]
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > LINE_OCTETS) {
      pieces.push(piece)
      // The space in front of each further piece counts.
      ;[piece, octets] = ['', 1]
    }
    piece += character
    octets += size
  }
  return [...pieces, piece].join('\r\n ')
}

/** The octets of a character in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
