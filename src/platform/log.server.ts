import { pino, type Logger } from 'pino'
import { paths } from '../lib/paths.ts'

export type Log = Logger

/** Logs one JSON object per line to standard output. Secrets and cookies are redacted. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['*.password', '*.token', '*.secret', 'headers.cookie', 'headers.authorization'],
      censor: '[hidden]',
    },
  })
}

const SEAT_PATH = new RegExp(`^(${paths.redeem('')})[^/]+`, 'i')

/** A path without the code of a seat, because anybody with the code can redeem it. */
export function loggedPath(path: string): string {
  return path.replace(SEAT_PATH, '$1…')
}
