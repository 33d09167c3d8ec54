import { pino, type Logger } from 'pino'

export type Log = Logger

/** One JSON object a line on standard output. Secrets and cookies never reach it. */
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
