import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Failure } from '../lib/failure.ts'
import { type Output, WrongUsage } from './command.server.ts'
import { commands } from './commands.server.ts'

/** What an admin does from the shell. Returns the exit code: 0 done, 1 something to mend, 2 called wrongly. */
export async function runAltocert(args: string[], output: Output): Promise<number> {
  const [name = '', ...rest] = args
  const command = commands.get(name)
  if (!command) {
    if (name !== '' && name !== 'help' && name !== '--help') output.complain(`altocert: there is no "${name}".`)
    output.complain(
      ['usage:', ...[...commands.values()].map(({ usage, does }) => `  altocert ${usage}\n      ${does}`)].join('\n'),
    )
    return name === 'help' || name === '--help' ? 0 : 2
  }
  try {
    return await command.run(rest, output)
  } catch (problem) {
    if (problem instanceof Failure) {
      output.complain(`altocert: ${problem.message}`)
      return 1
    }
    if (!(problem instanceof WrongUsage)) throw problem
    output.complain(`altocert: ${problem.message}\nusage: altocert ${command.usage}`)
    return 2
  }
}

/** Nobody watches a pipe or a file. */
function terminal(): Pick<Output, 'progress'> {
  const { stderr } = process
  return stderr.isTTY ? { progress: (text) => stderr.write(`\r\u001B[K${text}`) } : {}
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  // Outside: a reader such as `head` may close the pipe before everything is written.
  process.stdout.on('error', () => process.exit())
  process.exitCode = await runAltocert(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
    ...terminal(),
  })
}
