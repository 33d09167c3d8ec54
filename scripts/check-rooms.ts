// npm run rooms: each room has a card that is true, few names, and only names of the vocabulary.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRooms, roomsUsedBy } from './room-imports.ts'

const CARD_LINES = 20
/** What a label says begins here, so that a card reads as a table. */
const TEXT_COLUMN = 10
const NAMES_IN_A_ROOM = 12
const labels = ['Owns', 'Promises', 'Door', 'Uses', 'Screens', 'Not here', 'Spec']
const vocabulary =
  /^(README\.md|rules\.ts|schema\.ts|copy\.ts|read\.server\.ts|write\.server\.ts|gateway\.server\.ts|api\.server\.ts|letters\.server\.ts|client\.ts|[a-z][a-z-]*-page\.tsx|[a-z][a-z.-]*\.(test|fixture)\.tsx?)$/
/** Sub-rooms whose files are named by what they hold (decision 0001): the formats of a question. */
const namedByContent = [join('questions', 'formats')]

const problems = listRooms().flatMap((room) => [...cardProblems(room), ...nameProblems(room)])
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`${listRooms().length} rooms, each with a card that is true.`)
process.exitCode = problems.length > 0 ? 1 : 0

function cardProblems(room: string): string[] {
  const path = join('src', 'features', room, 'README.md')
  if (!existsSync(path)) return [`${path}: the room has no card.`]
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const starts = labels.map((label) => lines.findIndex((line) => line.startsWith(label.padEnd(TEXT_COLUMN))))
  const usesLine = lines[starts[labels.indexOf('Uses')] ?? -1] ?? ''
  const said = usesLine.slice('Uses'.length).trim()
  const used = roomsUsedBy(room).join(', ') || 'nothing'
  return [
    ...(lines[0] === `# ${room}` ? [] : [`${path}:1: begins with "# ${room}".`]),
    ...(lines.length <= CARD_LINES ? [] : [`${path}: has ${lines.length} lines, at most ${CARD_LINES} fit a screen.`]),
    ...labels
      .filter((_, index) => starts[index] === -1)
      .map((label) => `${path}: no line begins with "${label.padEnd(TEXT_COLUMN)}" and what there is to say.`),
    ...(starts.every((start, index) => index === 0 || start === -1 || start > (starts[index - 1] ?? -1))
      ? []
      : [`${path}: the order is ${labels.join(', ')}.`]),
    ...(usesLine === '' || said === used ? [] : [`${path}: says it uses ${said}; its files import ${used}.`]),
  ]
}

function nameProblems(room: string): string[] {
  // Tests stand beside what they prove, and screens are on the card: neither makes a room harder to find one's way in.
  const names = readdirSync(join('src', 'features', room)).filter(
    (name) => !/\.(test|fixture)\.tsx?$|-page\.tsx$/.test(name),
  )
  const isMany = names.length > NAMES_IN_A_ROOM
  return [
    ...(isMany ? [`src/features/${room}: ${names.length} names, at most ${NAMES_IN_A_ROOM} are seen at once.`] : []),
    ...strangersIn(room),
  ]
}

/** Names outside the vocabulary, in a room and its sub-rooms. What lies in ui/ is named by what it shows, in fixtures/ by what it proves. */
function strangersIn(folder: string): string[] {
  return readdirSync(join('src', 'features', folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'ui' || entry.name === 'fixtures' ? [] : strangersIn(path)
    if (vocabulary.test(entry.name) || (namedByContent.includes(folder) && /^[a-z][a-z-]*\.ts$/.test(entry.name)))
      return []
    return [`src/features/${path}: is no word of the vocabulary (docs/architecture.md).`]
  })
}
