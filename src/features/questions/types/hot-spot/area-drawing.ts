import type { AreaShape } from './hot-spot.schema.ts'

type Point = readonly [x: number, y: number]

/** The numbers of a rectangle or circle that is dragged from one point to another: a circle from its center to its edge. */
export function draggedNumbers(shape: Exclude<AreaShape, 'polygon'>, [x, y]: Point, [toX, toY]: Point): string {
  const numbers =
    shape === 'rect'
      ? [Math.min(x, toX), Math.min(y, toY), Math.max(x, toX), Math.max(y, toY)]
      : [x, y, Math.hypot(toX - x, toY - y)]
  return numbers.map(Math.round).join(', ')
}

/** The numbers of a polygon with another corner. */
export function withCorner(numbers: string, [x, y]: Point): string {
  return [...numbers.split(/[\s,]+/).filter(Boolean), Math.round(x), Math.round(y)].join(', ')
}
