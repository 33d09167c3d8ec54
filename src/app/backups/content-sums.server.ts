import { createHash } from 'node:crypto'
import { counted } from '../../lib/text.ts'

/** The count of rows of each table with a checksum that does not depend on their order, because a restored table may have another. */
export class ContentSums {
  readonly #tables = new Map<string, { rows: number; sum: bigint }>()

  add(table: string, row: string): void {
    const found = this.#tables.get(table) ?? { rows: 0, sum: 0n }
    const hash = createHash('sha256').update(row).digest().readBigUInt64BE(0)
    this.#tables.set(table, { rows: found.rows + 1, sum: BigInt.asUintN(64, found.sum + hash) })
  }

  /** What the restored tables have otherwise, in words; null when nothing. */
  difference(restored: ContentSums): string | null {
    for (const table of new Set([...this.#tables.keys(), ...restored.#tables.keys()])) {
      const [expected, found] = [this.#tables.get(table), restored.#tables.get(table)]
      if (expected?.rows !== found?.rows)
        return `${table} has ${counted(found?.rows ?? 0, 'row')} after the restore, and ${expected?.rows ?? 0} in the backup.`
      if (expected?.sum !== found?.sum) return `Rows of ${table} differ after the restore.`
    }
    return null
  }

  /** One checksum of everything. */
  digest(): string {
    const lines = [...this.#tables].map(([table, { rows, sum }]) => `${table} ${rows} ${sum}`)
    return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
  }
}
