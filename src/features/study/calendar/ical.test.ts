import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../../../lib/calendar-day.ts'
import { writeCalendar, type CalendarEvent } from './ical.ts'

type Property = { readonly name: string; readonly parameters: string; readonly value: string }

/** Reads content lines as RFC 5545, 3.1 has them, octet by octet, and refuses anything else. */
function readLines(file: string): Property[] {
  const bytes = Buffer.from(file, 'utf8')
  const raw = bytes.toString('latin1')
  expect(raw.endsWith('\r\n')).toBe(true)
  const physical = raw.slice(0, -2).split('\r\n')
  for (const line of physical) {
    expect(line.length).toBeLessThanOrEqual(75)
    // A bare CR or LF would be a broken line.
    expect([line.includes('\r'), line.includes('\n')]).toEqual([false, false])
    // Each physical line is valid UTF-8 by itself.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(line, 'latin1'))
    expect(text).not.toContain('\u0000')
  }
  const unfolded = Buffer.from(raw.slice(0, -2).replaceAll('\r\n ', ''), 'latin1').toString('utf8')
  return unfolded.split('\r\n').map((line) => {
    const match = /^([A-Z][A-Z0-9-]*)((?:;[A-Z-]+=[A-Z-]+)*):(.*)$/s.exec(line)
    expect([line, match]).toEqual([line, expect.anything()])
    return { name: match![1]!, parameters: match![2]!, value: match![3]! }
  })
}

/** A TEXT value without its escapes (RFC 5545, 3.3.11). */
function textOf(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign))
}

/** The events of a file, as the values of their properties. */
function eventsOf(lines: readonly Property[]): Record<string, string>[] {
  const events: Record<string, string>[] = []
  for (const { name, value } of lines) {
    if (name === 'BEGIN' && value === 'VEVENT') events.push({})
    else if (events.length > 0 && name !== 'END') events.at(-1)![name] = value
  }
  return events
}

const anEvent = fc.record<CalendarEvent>({
  id: fc.string({ unit: 'grapheme', minLength: 1 }),
  day: fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days)),
  title: fc.string({ unit: 'grapheme', maxLength: 300 }),
  text: fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 5 }).map((lines) => lines.join('\n')),
  url: fc.webUrl(),
  isBusy: fc.boolean(),
})

/** What a value of the type TEXT can hold. */
const storable = (text: string) =>
  [...text.replaceAll(/\r\n?/g, '\n')]
    .filter((one) => one === '\n' || one === '\t' || (one >= ' ' && one !== '\u007f'))
    .join('')

test('any text comes back whole from a calendar, whose lines have at most 75 octets and break no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(anEvent, { maxLength: 4 }), (name, events) => {
      const file = writeCalendar({ name, events, at: new Date('2026-11-24T19:15:42.7Z'), refreshHours: 6 })
      const lines = readLines(file)
      expect(textOf(lines.find((line) => line.name === 'NAME')!.value)).toBe(storable(name))
      const read = eventsOf(lines)
      expect(read.map(({ UID = '' }) => textOf(UID))).toEqual(events.map(({ id }) => storable(id)))
      expect(read.map(({ SUMMARY = '' }) => textOf(SUMMARY))).toEqual(events.map(({ title }) => storable(title)))
      expect(read.map(({ DESCRIPTION = '' }) => textOf(DESCRIPTION))).toEqual(events.map(({ text }) => storable(text)))
      expect(read.map(({ URL }) => URL)).toEqual(events.map(({ url }) => url))
      expect(read.map(({ DTSTART }) => DTSTART)).toEqual(events.map(({ day }) => day.replaceAll('-', '')))
    }),
    { numRuns: 300 },
  )
})

test('an event of a whole day ends on the next day, and a calendar says how often to ask again', () => {
  const event = {
    id: 'exam-1@shop',
    day: '2028-02-29',
    title: 'Exam: A, B; C',
    text: 'One\nTwo',
    url: 'http://x/',
    isBusy: true,
  }
  const file = writeCalendar({ name: 'Plan', events: [event], at: new Date('2026-11-24T19:15:42.7Z'), refreshHours: 6 })
  expect(file.split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Altocert//Study plan//EN',
    'CALSCALE:GREGORIAN',
    'NAME:Plan',
    'X-WR-CALNAME:Plan',
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    'BEGIN:VEVENT',
    'UID:exam-1@shop',
    'DTSTAMP:20261124T191542Z',
    'LAST-MODIFIED:20261124T191542Z',
    'SEQUENCE:29925795',
    'DTSTART;VALUE=DATE:20280229',
    'DTEND;VALUE=DATE:20280301',
    'SUMMARY:Exam: A\\, B\\; C',
    'DESCRIPTION:One\\nTwo',
    'URL:http://x/',
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})
