// npm run env: writes .env.example from the variables that the app reads; with --check, fails when it is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { variables } from '../src/platform/env.server.ts'

const path = '.env.example'
const head = `# Every variable that Altocert reads. Unset ones have the defaults that are described here.
# This file is written by \`npm run env\`; nothing reads it. Give the values to the process, for example with
# \`set -a; . ./.env; set +a; npm start\`; a value with spaces stands in quotes.
`
const expected = `${head}\n${Object.entries(variables)
  .map(([name, { about }]) => `# ${about}\n# ${name}=`)
  .join('\n\n')}\n`

if (!process.argv.includes('--check')) writeFileSync(path, expected)
else if (!existsSync(path) || readFileSync(path, 'utf8') !== expected) {
  console.error(`${path} is stale: run \`npm run env\`.`)
  process.exitCode = 1
}
