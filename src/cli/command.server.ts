import { type ParseArgsConfig, parseArgs } from 'node:util'

/** What an admin does from the shell: `npm run altocert -- <name> …`. */
export interface Command {
  usage: string
  does: string
  /** Returns the exit code: 0 done, 1 something to mend. @throws WrongUsage, which ends with 2 */
  run: (args: string[], output: Output) => Promise<number>
}

export interface Output {
  /** A line of the result. */
  print: (text: string) => void
  /** A line for a person, beside the result. */
  complain: (text: string) => void
  /** How far it is, on one line that the next one replaces; nothing where nobody watches. */
  progress?: (text: string) => void
}

export class WrongUsage extends Error {}

/** What stands on the command line. @throws WrongUsage */
export function readArgs<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (problem) {
    throw new WrongUsage(problem instanceof Error ? problem.message : String(problem))
  }
}
