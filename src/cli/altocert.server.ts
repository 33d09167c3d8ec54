import { realpathSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { DatabaseTooNew } from '../db/migrate.server.ts'
import { Failure } from '../lib/failure.ts'
import { type Output, WrongUsage } from './command.server.ts'
import { commands } from './commands.server.ts'

/** Runs one command of the command line. Returns the exit code: 0 success, 1 failure or findings, 2 wrong usage. */
export async function runAltocert(args: string[], output: Output): Promise<number> {
  const [name = '', ...rest] = args
  const command = commands.get(name)
  if (!command) {
    if (name !== '' && name !== 'help' && name !== '--help') output.printError(`altocert: unknown command "${name}".`)
    output.printError(
      [
        'usage:',
        ...[...commands.values()].map(({ usage, description }) => `  altocert ${usage}\n      ${description}`),
      ].join('\n'),
    )
    return name === 'help' || name === '--help' ? 0 : 2
  }
  try {
    return await command.run(rest, output)
  } catch (problem) {
    if (problem instanceof Failure || problem instanceof DatabaseTooNew) {
      output.printError(`altocert: ${problem.message}`)
      return 1
    }
    if (!(problem instanceof WrongUsage)) throw problem
    output.printError(`altocert: ${problem.message}\nusage: altocert ${command.usage}`)
    return 2
  }
}

/** Progress is shown and secrets are asked for on a terminal only, not in a pipe or a file. */
function terminal(): Pick<Output, 'progress' | 'askSecret'> {
  const { stderr, stdin } = process
  return {
    ...(stderr.isTTY ? { progress: (text: string) => stderr.write(`\r\u001B[K${text}`) } : {}),
    ...(stderr.isTTY && stdin.isTTY ? { askSecret } : {}),
  }
}

async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  // The prompt echoes what is typed to its output, so it gets one that discards everything.
  const prompt = createInterface({
    input: process.stdin,
    output: new Writable({ write: (_1, _2, done) => done() }),
    terminal: true,
  })
  prompt.on('SIGINT', () => process.exit(130))
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  // A reader such as `head` may close the pipe before everything is written.
  process.stdout.on('error', () => process.exit())
  process.exitCode = await runAltocert(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    ...terminal(),
  })
}
