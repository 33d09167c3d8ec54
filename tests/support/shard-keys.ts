import type pg from 'pg'

/** The tables that would be sharded by attempt, and the column that names the attempt (docs/scaling.md). */
export const SHARDED: Readonly<Record<string, string>> = {
  attempts: 'id',
  attempt_answers: 'attempt_id',
  late_answers: 'attempt_id',
}

/**
 * How a statement names the attempts whose rows it touches: `one` by a parameter, so one shard is asked; `many` by a list; `none` at
 * all, so every shard is asked. Null for a statement that touches no sharded table.
 */
export type Naming = 'one' | 'many' | 'none'

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly Operation?: string
  readonly Output?: readonly string[]
  readonly Plans?: readonly Node[]
} & Readonly<Record<string, unknown>>

const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'Hash Cond', 'Merge Cond', 'Join Filter', 'TID Cond']

/** Asks PostgreSQL (16 or newer) how it would run the statement for any parameters, and reads the conditions of the plan. */
export async function namingOf(pool: pg.Pool, text: string): Promise<Naming | null> {
  if (!Object.keys(SHARDED).some((table) => new RegExp(`\\b${table}\\b`).test(text))) return null
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `explain (generic_plan, verbose, costs off, format json) ${text}`,
  )
  const nodes = nodesOf(rows[0]!['QUERY PLAN'][0].Plan)
  const conditions = nodes.flatMap((node) => CONDITIONS.flatMap((name) => (name in node ? [String(node[name])] : [])))
  const scanned = nodes.filter((node) => node['Node Type'] !== 'ModifyTable' && isSharded(node))
  const columns = scanned.map((node) => `${node.Alias}.${SHARDED[node['Relation Name'] ?? '']}`)
  const read = namingsOf(columns, conditions)
  const inserted = nodes
    .filter((node) => node.Operation === 'Insert' && isSharded(node) && !namesOwnAttempt(node))
    // Its rows come from the rest of the statement, and name what that names.
    .map((): Naming => (read.length > 0 ? worst(read) : 'many'))
  const isInsert = nodes.some((node) => node.Operation === 'Insert' && isSharded(node))
  const namings = [...read, ...inserted]
  if (namings.length === 0) return isInsert ? 'one' : null
  return worst(namings)
}

const worst = (namings: readonly Naming[]): Naming =>
  (['none', 'many', 'one'] as const).find((naming) => namings.includes(naming))!

const isSharded = (node: Node) => node['Relation Name'] !== undefined && node['Relation Name'] in SHARDED

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** A new row with its key as a parameter or as a new id. The key is the first column of each table. */
function namesOwnAttempt(node: Node): boolean {
  const key = node.Plans?.[0]?.Output?.[0] ?? ''
  return /^\(?\$\d+\)?(?:::\w+)?$|^(?:gen_random_)?uuid/.test(key)
}

/** A key that equals another one is named as that one is. */
function namingsOf(columns: readonly string[], conditions: readonly string[]): Naming[] {
  const found = new Map<string, Naming>()
  for (const column of columns) {
    const name = column.replaceAll('.', '\\.').replaceAll('"', '"?')
    const [one, list] = [`\\(?${name} = (?:\\()?\\$\\d`, `${name} = ANY \\(`]
    const byParameter = new RegExp(`${one}|\\$\\d+\\)?(?:::\\w+)? = ${name}\\b`)
    if (conditions.some((condition) => byParameter.test(condition))) found.set(column, 'one')
    else if (conditions.some((condition) => new RegExp(list).test(condition))) found.set(column, 'many')
  }
  for (let round = 0; round < columns.length; round += 1)
    for (const column of columns) {
      const other = equalsOf(column, conditions).find((one) => found.has(one))
      if (!found.has(column) && other !== undefined) found.set(column, found.get(other)!)
      // Rows of a list that was sent, such as answers that arrived together.
      else if (!found.has(column) && equalsOf(column, conditions).some((one) => !columns.includes(one)))
        found.set(column, 'many')
    }
  return columns.map((column) => found.get(column) ?? 'none')
}

function equalsOf(column: string, conditions: readonly string[]): string[] {
  const name = column.replaceAll('.', '\\.')
  const equal = new RegExp(`(?:^|[^\\w.])${name} = ([\\w".]+\\.[\\w"]+)|([\\w".]+\\.[\\w"]+) = ${name}(?![\\w.])`, 'g')
  return conditions.flatMap((condition) => [...condition.matchAll(equal)].map(([, after, before]) => after ?? before!))
}

/** What the schema has that tables sharded by attempt could not have as it is. */
export async function schemaInTheWay(pool: pg.Pool): Promise<string[]> {
  const tables = Object.keys(SHARDED)
  const { rows: unique } = await pool.query<{ name: string }>(
    `select index.relname as name from pg_index join pg_class index on index.oid = indexrelid join pg_class of on of.oid = indrelid
     where of.relname = any($1) and indisunique and of.relnamespace = 'public'::regnamespace
       and not exists (select from pg_attribute where attrelid = of.oid and attnum = any(indkey::int2[]) and attname = $2::jsonb ->> of.relname)`,
    [tables, JSON.stringify(SHARDED)],
  )
  const { rows: foreign } = await pool.query<{ from: string; to: string; name: string }>(
    `select of.relname as from, other.relname as to, conname as name from pg_constraint
     join pg_class of on of.oid = conrelid join pg_class other on other.oid = confrelid
     where contype = 'f' and of.relnamespace = 'public'::regnamespace and (of.relname = any($1)) <> (other.relname = any($1))`,
    [tables],
  )
  const { rows: triggers } = await pool.query<{ name: string; of: string }>(
    `select tgname as name, relname as of from pg_trigger join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and relname = any($1) and relnamespace = 'public'::regnamespace`,
    [tables],
  )
  return [
    ...unique.map(({ name }) => `unique index ${name}`),
    ...foreign.map(({ from, to }) => `foreign key of ${from} to ${to}`),
    ...triggers.map(({ name, of }) => `trigger ${name} of ${of}`),
  ].toSorted()
}
