export type Cloudlet = readonly [x: number, y: number]

/**
 * The one motif of all our drawings (docs/look.md): cloudlets in rows, which are the circles of an answer sheet. Open circles are
 * what is possible; filled ones are answers.
 */
export function Cloudlets({
  open = [],
  filled = [],
  radius = 3,
}: {
  open?: readonly Cloudlet[]
  filled?: readonly Cloudlet[]
  radius?: number
}) {
  return (
    <>
      {open.length === 0 ? null : <path d={circles(open, radius)} fill="none" stroke="currentColor" />}
      {filled.length === 0 ? null : <path d={circles(filled, radius)} fill="currentColor" stroke="currentColor" />}
    </>
  )
}

/** Circles as one path: a course page has a hundred, and each element delays its first paint. */
function circles(at: readonly Cloudlet[], radius: number): string {
  const half = `a${radius} ${radius} 0 1 0`
  return at.map(([x, y]) => `M${x - radius} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0z`).join('')
}

/** Cloudlets at equal distances. */
export function rowOf(count: number, at: { x: number; y: number; step: number }): Cloudlet[] {
  return Array.from({ length: count }, (_, place) => [at.x + place * at.step, at.y] as const)
}
