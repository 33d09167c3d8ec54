/** A scale of percents between two edges of a drawing. It begins where something is to be seen, at a full twenty. */
export function percentAxis({ least, top, bottom }: { least: number; top: number; bottom: number }) {
  const floor = Math.max(0, Math.min(60, 20 * Math.floor((least - 2) / 20)))
  return {
    y: (percent: number) => bottom - ((percent - floor) / (100 - floor)) * (bottom - top),
    ticks: Array.from({ length: (100 - floor) / 20 + 1 }, (_, place) => floor + 20 * place),
  }
}
