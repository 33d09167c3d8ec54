import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A command of `npm run altocert -- <name> …`. */
export interface Command {
  usage: string
  description: string
  /** Returns the exit code: 0 success, 1 failure or findings. @throws WrongUsage, which exits with 2 */
  run: (args: string[], output: Output) => Promise<number>
}

export interface Output {
  /** Prints a line of the result to stdout. */
  print: (text: string) => void
  /** Prints a message for the user to stderr. */
  printError: (text: string) => void
  /** Replaces the progress line; missing when stderr is not a terminal. */
  progress?: (text: string) => void
  /** Asks for a secret without showing what is typed; missing when stdin is not a terminal. */
  askSecret?: (question: string) => Promise<string>
}

export class WrongUsage extends Error {}

/** Parses the arguments of a command. @throws WrongUsage */
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
