export type StatementName = {
  /** The verb, such as insert. */
  readonly operation: string
  /** The first table that the verb names; undefined for begin, commit and the like. */
  readonly table: string | undefined
}

const COMMENTS = /\/\*[^]*?\*\/|--[^\n]*/g
const TEXTS = /'(?:[^']|'')*'/g
/** These have a `from` or `in` that no table follows. */
const FUNCTIONS_WITH_FROM = /\b(?:extract|substring|trim|overlay|position)\s*\([^()]*\)|\bdistinct\s+from\b/gi
const WITH_NAMES =
  /(?:\bwith|\brecursive|,)\s+"?([a-z_]\w*)"?\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(/gi
const TABLE = '((?:"?[a-z_]\\w*"?\\.)?"?[a-z_]\\w*"?)'
/** After `from` and `join`, a name before a parenthesis is a function. */
const TARGET = new RegExp(
  `\\binto\\s+${TABLE}|\\b(?:from|update|join)\\s+(?:only\\s+)?${TABLE}(?![\\w".]|\\s*\\()`,
  'gi',
)
const WRITES = /\b(insert)\s+into\b|\b(update)\s+(?!of\b|skip\b|nowait\b)"?[a-z_]|\b(delete)\s+from\b/i

/** What a statement does and with which table, without any of its values. */
export function statementName(text: string): StatementName {
  const plain = text.replace(COMMENTS, ' ').replace(TEXTS, ' ').replace(FUNCTIONS_WITH_FROM, ' ').trim()
  const first = /^[a-z]+/i.exec(plain)?.[0].toLowerCase() ?? 'unknown'
  const write = WRITES.exec(plain)
  const operation = first === 'with' ? (write?.slice(1).find(Boolean)?.toLowerCase() ?? 'select') : first
  const own = new Set([...plain.matchAll(WITH_NAMES)].map(([, name]) => name))
  const start = first === 'with' && write !== null ? write.index : 0
  const found = [...plain.slice(start).matchAll(TARGET)]
    .map(({ 1: into, 2: other, index }) => ({
      table: (into ?? other ?? '').replaceAll('"', ''),
      depth: depthAt(plain, start + index),
    }))
    .filter(({ table }) => !own.has(table) && !NO_TABLES.has(table))
  const least = Math.min(...found.map(({ depth }) => depth))
  return { operation, table: found.find(({ depth }) => depth === least)?.table }
}

/** In how many parentheses it is: the table of a statement comes before those of its subqueries. */
function depthAt(text: string, index: number): number {
  let depth = 0
  for (const character of text.slice(0, index)) depth += character === '(' ? 1 : character === ')' ? -1 : 0
  return depth
}

/** Words that may follow `from`, `update` and `join`. */
const NO_TABLES: ReadonlySet<string> = new Set(['lateral', 'set', 'skip', 'nowait', 'of', 'unnest', 'select'])
