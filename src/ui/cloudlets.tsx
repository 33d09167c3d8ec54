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
      {open.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} fill="none" stroke="currentColor" />
      ))}
      {filled.map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} fill="currentColor" stroke="currentColor" />
      ))}
    </>
  )
}

/** Cloudlets at equal distances. */
export function rowOf(count: number, at: { x: number; y: number; step: number }): Cloudlet[] {
  return Array.from({ length: count }, (_, place) => [at.x + place * at.step, at.y] as const)
}
