/**
 * Whether somebody opens this page in a tab: no script, frame or other site asks for it, and no browser that prepares pages which
 * nobody has asked for. Browsers write these headers, pages cannot. Browsers do not send them to a plain http address of a network.
 */
export function isOpenedByUser({ method, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  const isOfUser = site === 'none' || site === 'same-origin'
  const isPage = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  return method === 'GET' && isOfUser && isPage && !headers.has('sec-purpose') && !headers.has('purpose')
}
