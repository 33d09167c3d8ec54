/** Solves a system of linear equations with a symmetric positive definite matrix (Cholesky). */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lower: number[][] = []
  for (const [row, values] of matrix.entries()) {
    const line: number[] = []
    for (let column = 0; column <= row; column++) {
      const other = column === row ? line : (lower[column] ?? [])
      const rest = (values[column] ?? 0) - line.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
      line.push(column === row ? Math.sqrt(rest) : rest / (other[column] ?? 1))
    }
    lower.push(line)
  }
  const half: number[] = []
  for (const [row, line] of lower.entries())
    half.push(
      ((right[row] ?? 0) - half.reduce((sum, value, place) => sum + value * (line[place] ?? 0), 0)) / line[row]!,
    )
  const solution = half.map(() => 0)
  for (let row = half.length - 1; row >= 0; row--) {
    const below = solution.reduce(
      (sum, value, place) => sum + (place > row ? value * (lower[place]?.[row] ?? 0) : 0),
      0,
    )
    solution[row] = ((half[row] ?? 0) - below) / lower[row]![row]!
  }
  return solution
}
