export type Row = {
  readonly what: string
  readonly measured: string
  readonly limit: string
  readonly isMet: boolean | null
}

/** Our rate relative to the machine's limit in the same run, compared with a minimum. */
export function ratioRow(what: string, ours: number, machine: number, floor: number, unit: string): Row {
  const ratio = ours / machine
  return {
    what,
    measured: `${ratio.toFixed(2)}  (${Math.round(ours)} of ${Math.round(machine)} ${unit})`,
    limit: `at least ${floor.toFixed(2)}`,
    isMet: ratio >= floor,
  }
}

type RatePair = { readonly ours: number; readonly machine: number }

/** Like `ratioRow`, from rates that were measured in turns: the median of their ratios, and the lowest and highest. */
export function pairedRow(what: string, pairs: readonly RatePair[], floor: number, unit: string): Row {
  const ratios = pairs.map(({ ours, machine }) => ours / machine)
  const ratio = median(ratios)
  const rates = [median(pairs.map(({ ours }) => ours)), median(pairs.map(({ machine }) => machine))]
  const [slow, fast] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)]
  return {
    what,
    measured: `${ratio.toFixed(2)}  (${rates.map(Math.round).join(' of ')} ${unit}; ${slow} to ${fast})`,
    limit: `at least ${floor.toFixed(2)}`,
    isMet: ratio >= floor,
  }
}

/** Like `pairedRow`, without a bound: how much of the other side's figure ours is. */
export function comparedRow(what: string, pairs: readonly RatePair[], unit: string, digits = 0): Row {
  const ratios = pairs.map(({ ours, machine }) => ours / machine)
  const of = (figure: (pair: RatePair) => number) => median(pairs.map(figure)).toFixed(digits)
  const [least, most] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)]
  const figures = `${of(({ ours }) => ours)} against ${of(({ machine }) => machine)} ${unit}`
  return figureRow(what, `${median(ratios).toFixed(2)}  (${figures}; ${least} to ${most})`)
}

/** A figure without a limit, for information. */
export function figureRow(what: string, measured: string): Row {
  return { what, measured, limit: '', isMet: null }
}

/** Logs a row at once, to show progress in a long bench. */
export function logged(row: Row): Row {
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

/** The row of a bench that failed; its limits count as not met. */
export function failedRow(what: string, error: unknown): Row {
  const message = error instanceof Error ? error.message : String(error)
  return { what, measured: `could not be measured: ${message.slice(0, 80)}`, limit: '', isMet: false }
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
