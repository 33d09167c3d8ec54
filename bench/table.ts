export type Row = {
  readonly what: string
  readonly measured: string
  readonly limit: string
  readonly isMet: boolean | null
}

/** A ratio to what the machine can do in the same run, held against its floor. */
export function ratioRow(what: string, ours: number, machine: number, floor: number, unit: string): Row {
  const ratio = ours / machine
  return {
    what,
    measured: `${ratio.toFixed(2)}  (${Math.round(ours)} of ${Math.round(machine)} ${unit})`,
    limit: `at least ${floor.toFixed(2)}`,
    isMet: ratio >= floor,
  }
}

/** A figure without a limit: for the record of this machine only. */
export function figureRow(what: string, measured: string): Row {
  return { what, measured, limit: '', isMet: null }
}

/** For rows that take long: said when it is known, so that who waits sees how far it is. */
export function told(row: Row): Row {
  console.error(`  ${row.what}: ${row.measured}`)
  return row
}

export function limitRow(what: string, value: number, limit: number, unit: string, digits = 1): Row {
  return {
    what,
    measured: `${value.toFixed(digits)} ${unit}`.trim(),
    limit: `at most ${limit} ${unit}`.trim(),
    isMet: value <= limit,
  }
}

/** A bench that broke: its bounds are not met. */
export function failedRow(what: string, error: unknown): Row {
  const said = error instanceof Error ? error.message : String(error)
  return { what, measured: `could not be measured: ${said.slice(0, 80)}`, limit: '', isMet: false }
}

export function printTable(rows: readonly Row[]): void {
  const columns = [
    rows.map(({ what }) => what),
    rows.map(({ measured }) => measured),
    rows.map(({ limit }) => limit),
    rows.map(({ isMet }) => (isMet === null ? '' : isMet ? 'met' : 'NOT MET')),
  ]
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)))
  for (const [index] of rows.entries())
    console.log(
      columns
        .map((cells, column) => (cells[index] ?? '').padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
