import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseAst, type Plugin } from 'vite'

/** A node of the syntax tree; only what this file reads. */
type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>
type Edit = { readonly start: number; readonly end: number; readonly text: string }
type Sentences = ReadonlyMap<string, string>

/**
 * Writes the sentences of `*.copy.ts` files where they are used in the built files: `copy['home.title']` becomes the sentence.
 * Otherwise a page would load each table that it takes one sentence from. Where a key is known only at run time, the table stays.
 */
export function inlineCopy(files = /\/src\/[^?]+\.tsx?($|\?)/): Plugin {
  const tables = new Map<string, Promise<Sentences>>()
  return {
    name: 'altocert:inline-copy',
    apply: 'build',
    transform: {
      filter: { id: files, code: /\.copy\.ts/ },
      async handler(code, id) {
        const program = parseAst(code) as unknown as Node
        const edits: Edit[] = []
        for (const { source, local, statement } of importedTables(program)) {
          const path = join(dirname(id), source)
          const reading = tables.get(path) ?? readSentences(path)
          tables.set(path, reading)
          const search: Search = { local, sentences: await reading, found: [], others: 0 }
          if (!collect(program, null, search)) continue
          edits.push(...search.found)
          // An import that is left over would put the table into the files of this page.
          if (search.others === 0) edits.push(withoutImport(statement, code))
        }
        return edits.length === 0 ? null : { code: apply(code, edits), map: null }
      },
    },
  }
}

function importedTables(program: Node): { source: string; local: string; statement: Node }[] {
  return nodesOf(program['body']).flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration') return []
    const source = (statement['source'] as Node)['value'] as string
    if (!source.endsWith('.copy.ts')) return []
    return nodesOf(statement['specifiers'])
      .filter((specifier) => (specifier['imported'] as Node | undefined)?.['name'] === 'copy')
      .map((specifier) => ({ source, statement, local: (specifier['local'] as Node)['name'] as string }))
  })
}

/** The import without the table; other things that it names stay. */
function withoutImport(statement: Node, code: string): Edit {
  const others = nodesOf(statement['specifiers'])
    .filter((specifier) => (specifier['imported'] as Node | undefined)?.['name'] !== 'copy')
    .map(({ start, end }) => code.slice(start, end))
  const { start, end } = statement['source'] as Node
  const text = others.length === 0 ? '' : `import { ${others.join(', ')} } from ${code.slice(start, end)};`
  return { start: statement.start, end: statement.end, text }
}

/** The sentences of `export const copy = { … }` that are written out; others are computed from something. */
async function readSentences(path: string): Promise<Sentences> {
  const sentences = new Map<string, string>()
  const program = parseAst(await readFile(path, 'utf8'), { lang: 'ts' }) as unknown as Node
  const declarations = nodesOf(program['body']).flatMap((statement) =>
    nodesOf((statement['declaration'] as Node | null)?.['declarations']),
  )
  const table = declarations.find((declaration) => (declaration['id'] as Node)['name'] === 'copy')?.['init']
  for (const property of nodesOf(withoutTypes(table as Node | undefined)?.['properties'])) {
    const { name, value: key } = (property['key'] ?? {}) as { name?: string; value?: unknown }
    const value = withoutTypes(property['value'] as Node | undefined)
    if (value?.type === 'Literal' && typeof value['value'] === 'string' && property['computed'] !== true)
      sentences.set(name ?? String(key), value['value'])
  }
  return sentences
}

/** `{ … } as const satisfies Record<…>` without what follows the braces. */
function withoutTypes(node: Node | undefined): Node | undefined {
  return node !== undefined && /^TS(As|Satisfies)Expression$/.test(node.type)
    ? withoutTypes(node['expression'] as Node)
    : node
}

type Search = {
  readonly local: string
  readonly sentences: Sentences
  readonly found: Edit[]
  /** Uses that stay as they are. */
  others: number
}

/** Finds the uses of the table. False when the name is declared once more, so that a use may mean something else. */
function collect(node: Node, parent: Node | null, search: Search): boolean {
  if (node.type === 'ImportDeclaration') return true
  const property = node['property'] as Node
  const isUse = node.type === 'MemberExpression' && (node['object'] as Node)['name'] === search.local
  if (isUse && node['computed'] === true && isWrittenOut(property, search.sentences)) {
    search.found.push(
      { start: node.start, end: property.start, text: '(' },
      { start: property.end, end: node.end, text: ')' },
    )
    return collectSentences(property, search)
  }
  if (node.type === 'Identifier' && node['name'] === search.local) {
    if (parent !== null && declares(parent, node)) return false
    search.others += 1
  }
  return Object.values(node).every((value) => nodesOf(value).every((child) => collect(child, node, search)))
}

/** `'a.b'`, or `isOpen ? 'a.b' : 'a.c'`. */
function isWrittenOut({ type, value, consequent, alternate }: Node, sentences: Sentences): boolean {
  if (type === 'ConditionalExpression')
    return isWrittenOut(consequent as Node, sentences) && isWrittenOut(alternate as Node, sentences)
  return type === 'Literal' && typeof value === 'string' && sentences.has(value)
}

function collectSentences(property: Node, search: Search): boolean {
  if (property.type === 'ConditionalExpression')
    return (
      collect(property['test'] as Node, property, search) &&
      collectSentences(property['consequent'] as Node, search) &&
      collectSentences(property['alternate'] as Node, search)
    )
  const sentence = search.sentences.get(property['value'] as string)
  search.found.push({ start: property.start, end: property.end, text: JSON.stringify(sentence) })
  return true
}

function declares(parent: Node, identifier: Node): boolean {
  const isNamed = parent.type === 'VariableDeclarator' && parent['id'] === identifier
  const isParameter = /Function|Catch|Pattern|RestElement/.test(parent.type)
  return isNamed || isParameter || (parent.type === 'Property' && parent['shorthand'] === true)
}

function nodesOf(value: unknown): Node[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one): one is Node => typeof one === 'object' && one !== null && 'type' in one && 'start' in one)
}

function apply(code: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: written }) => text.slice(0, start) + written + text.slice(end), code)
}
