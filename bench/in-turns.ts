import autocannon from 'autocannon'

/**
 * What each of the sides does in its turn, in another order each round, so that all of them run under the same load of the machine.
 * The first round warms up and does not count.
 */
export async function inTurns<Side extends string, Figure>(
  rounds: number,
  sides: readonly Side[],
  take: (side: Side) => Promise<Figure>,
): Promise<Readonly<Record<Side, Figure>>[]> {
  const all: Readonly<Record<Side, Figure>>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const figures = {} as Record<Side, Figure>
    for (const turn of sides.keys()) {
      const side = sides[(turn + round) % sides.length]!
      figures[side] = await take(side)
    }
    if (round > 0) all.push(figures)
  }
  return all
}

/** How often a page is sent, also in a second. */
export async function pagesOverHttp(
  url: string,
  { headers, connections, seconds }: { headers: Record<string, string>; connections: number; seconds: number },
): Promise<{ perSecond: number; count: number }> {
  const result = await autocannon({
    url,
    headers: { ...headers, accept: 'text/html', 'accept-encoding': 'gzip' },
    connections,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return { perSecond: result.requests.average, count: result.requests.total }
}
