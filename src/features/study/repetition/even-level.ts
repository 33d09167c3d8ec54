/** The smallest level at which the rooms together hold `wanted`; `most` where none does. Rooms may not shrink with the level. */
export function evenLevel(roomsAt: (level: number) => readonly number[], wanted: number, most: number): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (roomsAt(middle).reduce((sum, room) => sum + room, 0) >= wanted) high = middle
    else low = middle + 1
  }
  return low
}
