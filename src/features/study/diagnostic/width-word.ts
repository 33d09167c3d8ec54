/** The width of an interval in words. */
export function widthWord(points: number): 'narrow' | 'fair' | 'wide' | 'very-wide' {
  if (points <= 14) return 'narrow'
  if (points <= 22) return 'fair'
  return points <= 35 ? 'wide' : 'very-wide'
}
