import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'

/*
 * The lists of question types, one for each registry, so that another type is its folder alone. Each list imports what it lists by its
 * name: the type `hot-spot` exports `hotSpotGrading`, `HotSpotQuestion`, `HOT_SPOT_MARK`. `npm run map` writes them.
 */
export const TYPES_FOLDER = join('src', 'features', 'questions', 'types')
const LISTS_FOLDER = join(TYPES_FOLDER, 'registered')

interface List {
  readonly name: string
  /** What the names of its exports say of a type: `*` stands for the type, in the case of the pattern. */
  readonly of: string
  /** A tuple, an object by type, one object of all their entries, functions that load it by type, or a union of TypeScript types. */
  readonly as: 'tuple' | 'object' | 'merged' | 'loaders' | 'union'
  /** A type may do without it. */
  readonly isOptional?: true
}

const files: Readonly<Record<string, readonly List[]>> = {
  'registered-schemas.ts': [
    { name: 'QUESTIONS', of: '*Question', as: 'tuple' },
    { name: 'QUESTIONS_FOR_TAKING', of: '*ForTaking', as: 'tuple' },
    { name: 'QUESTIONS_FOR_REVIEW', of: '*ForReview', as: 'tuple' },
    { name: 'ANSWERS', of: '*Answer', as: 'tuple' },
    { name: 'SHAPES', of: '*Shape', as: 'tuple' },
  ],
  'registered-edit-schemas.ts': [
    { name: 'EDITS', of: '*Edit', as: 'tuple' },
    { name: 'KEYS', of: '*Key', as: 'tuple' },
    { name: 'EDITED', of: 'Edited*', as: 'tuple' },
  ],
  'registered-gradings.ts': [{ name: 'GRADINGS', of: '*Grading', as: 'object' }],
  'registered-contents.ts': [{ name: 'CONTENTS', of: '*Content', as: 'object' }],
  'registered-forms.tsx': [{ name: 'FORMS', of: '*Form', as: 'object' }],
  'registered-reviews.tsx': [{ name: 'REVIEWS', of: '*Review', as: 'object' }],
  'registered-prints.tsx': [{ name: 'PRINTS', of: '*Print', as: 'object' }],
  'registered-statistics.ts': [{ name: 'STATISTICS', of: '*Statistics', as: 'object' }],
  'registered-checks.ts': [{ name: 'CHECKS', of: '*Checks', as: 'object' }],
  'registered-edits.ts': [{ name: 'EDITINGS', of: '*Editing', as: 'object' }],
  'registered-editors.tsx': [{ name: 'EDITOR_LOADERS', of: '*Editor', as: 'loaders' }],
  'registered-formats.ts': [{ name: 'FORMATS', of: '*Formats', as: 'object' }],
  'registered-fields.ts': [
    { name: 'MARKS', of: '*_MARK', as: 'object' },
    { name: 'FACTS', of: '*_FACTS', as: 'object', isOptional: true },
    { name: 'HAS_GAPS', of: '*_HAS_GAPS', as: 'object', isOptional: true },
  ],
  'registered-reasons.ts': [{ name: 'REASONS', of: '*_REASONS', as: 'merged', isOptional: true }],
  'registered-remarks.ts': [{ name: 'REMARKS', of: '*_REMARKS', as: 'merged', isOptional: true }],
  'registered-parts.ts': [{ name: 'PARTS', of: '*_PARTS', as: 'merged', isOptional: true }],
  'registered-unions.ts': [
    { name: 'RegisteredAction', of: '*Action', as: 'union' },
    { name: 'RegisteredBody', of: 'Parsed*', as: 'union' },
  ],
  'registered-types.fixture.ts': [
    { name: 'EXAMPLES', of: 'example*', as: 'object' },
    { name: 'ANY_FIELDS', of: 'any*Fields', as: 'object' },
  ],
}

/** Names that begin with the type and are values of an object, not schemas or components. */
const inCamelCase = /^\*(?:Grading|Content|Form|Review|Print|Statistics|Checks|Editing|Editor|Formats)$/

/** The text of each list by its path. @throws Error with the names that a folder lacks */
export async function registeredTypes(root = '.'): Promise<ReadonlyMap<string, string>> {
  const types = readTypes(join(root, TYPES_FOLDER))
  const missing = Object.values(files).flatMap((lists) =>
    lists.flatMap((list) =>
      types.flatMap((type) => (list.isOptional || placeOf(list, type) ? [] : [`${type.name}: ${nameIn(list, type)}`])),
    ),
  )
  if (missing.length > 0) throw new Error(`The folders of question types lack exports:\n${missing.join('\n')}`)
  const style = await resolveConfig(join(root, LISTS_FOLDER, 'registered-schemas.ts'))
  const texts = Object.entries(files).map(async ([file, lists]) => {
    const path = join(LISTS_FOLDER, file)
    return [path, await format(codeOf(lists, types), { ...style, filepath: path })] as const
  })
  return new Map(await Promise.all(texts))
}

interface QuestionType {
  readonly name: string
  /** The file of each export, from the folder of the lists. */
  readonly places: ReadonlyMap<string, string>
}

/** Folders with a schema named like the folder, in the order of their names. */
function readTypes(folder: string): QuestionType[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders
    .map(({ name }) => ({ name, paths: readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }) }))
    .filter(({ name, paths }) => paths.includes(`${name}.schema.ts`))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, paths }) => ({ name, places: new Map(paths.flatMap((path) => exportsOf(folder, name, path))) }))
}

function exportsOf(folder: string, type: string, path: string): [name: string, place: string][] {
  if (!/(?<!\.test)\.tsx?$/.test(path)) return []
  const code = readFileSync(join(folder, type, path), 'utf8')
  const names = [...code.matchAll(/^export (?:const|function|interface|type) (\w+)/gm)].map(([, name = '']) => name)
  return names.map((name) => [name, `../${type}/${path.replaceAll('\\', '/')}`])
}

function nameIn({ of }: List, { name }: QuestionType): string {
  const pascal = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (of.includes('_')) return of.replace('*', name.replaceAll('-', '_').toUpperCase())
  return of.replace('*', inCamelCase.test(of) ? pascal[0]!.toLowerCase() + pascal.slice(1) : pascal)
}

function placeOf(list: List, type: QuestionType): string | undefined {
  return type.places.get(nameIn(list, type))
}

function codeOf(lists: readonly List[], types: readonly QuestionType[]): string {
  const namesFrom = new Map<string, string[]>()
  for (const list of lists)
    for (const type of types) {
      const place = placeOf(list, type)
      if (place === undefined || list.as === 'loaders') continue
      namesFrom.set(place, [...(namesFrom.get(place) ?? []), nameIn(list, type)])
    }
  const word = lists.every((list) => list.as === 'union') ? 'import type' : 'import'
  const imports = [...namesFrom].map(([place, names]) => `${word} { ${names.join(', ')} } from '${place}'`)
  const head = '// Written by `npm run map` from the folders of the types.'
  return `${head}\n${imports.join('\n')}\n\n${lists.map((list) => listCode(list, types)).join('\n\n')}\n`
}

function listCode(list: List, types: readonly QuestionType[]): string {
  const having = types.filter((type) => placeOf(list, type) !== undefined)
  const names = having.map((type) => nameIn(list, type))
  if (list.as === 'union') return `export type ${list.name} = ${names.join(' | ')}`
  if (list.as === 'tuple') return `export const ${list.name} = [${names.join(', ')}] as const`
  if (list.as === 'merged')
    return `export const ${list.name} = { ${names.map((name) => `...${name}`).join(', ')} } as const`
  const entries = having.map((type) => `'${type.name}': ${valueOf(list, type)},`)
  return `export const ${list.name} = {\n${entries.join('\n')}\n} as const`
}

function valueOf(list: List, type: QuestionType): string {
  const name = nameIn(list, type)
  return list.as === 'loaders' ? `async () => (await import('${placeOf(list, type) ?? ''}')).${name}` : name
}
