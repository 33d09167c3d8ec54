import { vi } from 'vitest'
import { runAltocert } from './altocert.server.ts'

/** Runs the command line on a database, or on none, and returns its exit code and what it printed. */
export async function runOn(url: string | null, ...args: string[]) {
  if (url !== null) vi.stubEnv('DATABASE_URL', url)
  const [output, errors, progress]: [string[], string[], string[]] = [[], [], []]
  try {
    const code = await runAltocert(args, {
      print: (text) => output.push(text),
      printError: (text) => errors.push(text),
      progress: (text) => progress.push(text),
    })
    return { code, output: output.join('\n'), errors: errors.join('\n'), progress }
  } finally {
    vi.unstubAllEnvs()
  }
}
