import { join } from 'node:path'
import { updateCatalogue, type UpdateMode } from '../app/catalogue-update/catalogue-update-commands.server.ts'
import { readContent, type ContentCourse } from '../app/server/content.server.ts'
import { systemClock } from '../platform/clock.server.ts'
import { projectRoot } from '../platform/project-root.server.ts'
import { withDatabase } from './cli-database.server.ts'
import { type Output, readArgs, type Command, WrongUsage } from './command.server.ts'
import { reportLines } from './update-catalogue-report.ts'

export const updateCatalogueCommand: Command = {
  usage: 'update-catalogue [<folder>] [--apply | --publish] [--json]',
  description:
    'compares the catalogue of this release with the shop; --apply puts new and corrected texts into drafts, --publish also publishes them; what an admin changed stays',
  run: runUpdateCatalogue,
}

async function runUpdateCatalogue(args: string[], output: Output): Promise<number> {
  const { folder, mode, isJson } = readArguments(args)
  const catalogue = await readCatalogue(folder, output)
  if (catalogue === null) return 1
  return withDatabase(async ({ db }) => {
    const update = await updateCatalogue(db, { catalogue, mode, clock: systemClock })
    output.print(isJson ? JSON.stringify(update, null, 2) : reportLines(update).join('\n'))
    const exams = update.courses.flatMap((course) => course.exams)
    const isLeft = exams.some(({ draft, problem }) => problem !== null || (mode === 'publish' && draft !== 'none'))
    return isLeft ? 1 : 0
  })
}

function readArguments(args: string[]) {
  const { values, positionals } = readArgs(args, {
    apply: { type: 'boolean' },
    publish: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const [folder = join(projectRoot, 'content'), ...others] = positionals
  if (others.length > 0) throw new WrongUsage('name one folder, or none for the catalogue of this release.')
  if (values.apply === true && values.publish === true)
    throw new WrongUsage('--publish applies, too: name one of them.')
  const mode: UpdateMode = values.publish === true ? 'publish' : values.apply === true ? 'apply' : 'dry-run'
  return { folder, mode, isJson: values.json === true }
}

/** The courses of the folder; null if any part cannot be read, because the update would take that part for withdrawn. */
async function readCatalogue(folder: string, output: Output): Promise<ContentCourse[] | null> {
  const { courses, findings } = await readContent(folder).catch((problem: unknown) => {
    throw new WrongUsage(problem instanceof Error ? problem.message : String(problem))
  })
  const errors = findings.filter(({ severity }) => severity === 'error')
  for (const { file, line, sentence } of errors) output.printError(`${file ?? ''}:${line ?? 1}: ${sentence}`)
  if (errors.length > 0) {
    output.printError('altocert: The catalogue has errors; nothing was changed.')
    return null
  }
  if (courses.length === 0) throw new WrongUsage('the folder has no courses.')
  return courses
}
