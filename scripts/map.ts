// npm run map: draws which room uses which into docs/architecture.md; with --check, fails when the drawing is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { listRooms, roomsUsedBy, roomsUsedByShell } from './room-imports.ts'

const path = 'docs/architecture.md'
const [begin, end] = ['<!-- rooms: written by `npm run map` -->', '<!-- /rooms -->']

const page = readFileSync(path, 'utf8')
const from = page.indexOf(begin)
const to = page.indexOf(end)
if (from === -1 || to < from) throw new Error(`${path} has no place for the rooms: ${begin} … ${end}`)
const wanted = `${page.slice(0, from)}${begin}\n${drawRooms()}\n${page.slice(to)}`

if (!process.argv.includes('--check')) writeFileSync(path, wanted)
else if (page !== wanted) {
  console.error(`The rooms in ${path} are stale: run \`npm run map\`.`)
  process.exitCode = 1
}

function drawRooms(): string {
  const rooms = listRooms()
  const unseen = rooms.filter((room) => !roomsUsedByShell().includes(room))
  const arrows = rooms.flatMap((room) => roomsUsedBy(room).map((used) => `  ${room} --> ${used}`))
  return [
    '```mermaid',
    'graph LR',
    ...rooms.map((room) => `  ${room}`),
    ...arrows,
    '```',
    '',
    unseen.length === 0
      ? 'The shell (`src/app`) uses every room.'
      : `The shell (\`src/app\`) uses every room but ${unseen.join(', ')}.`,
  ].join('\n')
}
