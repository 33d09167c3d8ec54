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

/** Anybody with the code of a seat can redeem it, anybody with the address of a calendar can read it, and so on. */
const SECRET_PATH = new RegExp(
  `^(${[paths.redeem(''), paths.calendar(''), paths.stopReminders('')].join('|')})[^/]+`,
  'i',
)

/** A path without the secret in it. */
export function loggedPath(path: string): string {
  return path.replace(SECRET_PATH, '$1…')
}
