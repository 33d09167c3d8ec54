import type { AreaShape } from './hot-spot.schema.ts'

/** Where an area is (see `Area`). */
export type AreaFigure = { readonly shape: AreaShape; readonly numbers: number[] }
type Size = { readonly width: number; readonly height: number }

/** Whether an area has as many numbers as its shape needs, a size, and lies within the image. */
export function areaFits({ shape, numbers }: AreaFigure, { width, height }: Size): boolean {
  const isInside = (x: number, y: number) => x >= 0 && y >= 0 && x <= width && y <= height
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  switch (shape) {
    case 'rect':
      return numbers.length === 4 && isInside(a, b) && isInside(c, d) && c > a && d > b
    case 'circle':
      return numbers.length === 3 && c > 0 && isInside(a - c, b - c) && isInside(a + c, b + c)
    case 'polygon': {
      const corners = cornersOf(numbers)
      return (
        numbers.length >= 6 &&
        numbers.length % 2 === 0 &&
        corners.every(([x, y]) => isInside(x, y)) &&
        sizeOf(corners) > 0
      )
    }
  }
}

/** The corners of a polygon. */
export function cornersOf(numbers: readonly number[]): [x: number, y: number][] {
  return numbers.flatMap((x, at): [number, number][] => (at % 2 === 0 ? [[x, numbers[at + 1] ?? 0]] : []))
}

/** The size of a polygon by the shoelace formula, in square pixels. */
function sizeOf(corners: readonly [number, number][]): number {
  const twice = corners.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = corners[(at + 1) % corners.length] ?? [x, y]
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(twice) / 2
}

/** The point where an area's letter stands. */
export function centerOf({ shape, numbers }: AreaFigure): [x: number, y: number] {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  if (shape === 'rect') return [(a + c) / 2, (b + d) / 2]
  if (shape === 'circle') return [a, b]
  const corners = cornersOf(numbers)
  const mean = (at: 0 | 1) => corners.reduce((sum, corner) => sum + corner[at], 0) / Math.max(1, corners.length)
  return [mean(0), mean(1)]
}
