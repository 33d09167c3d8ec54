import { pino, type Logger } from 'pino'

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
