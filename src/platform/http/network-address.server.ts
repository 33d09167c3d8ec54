import { BlockList, isIP } from 'node:net'

/**
 * The address of the client: the socket's. If the socket belongs to a trusted proxy, it is the last hop in X-Forwarded-For that is
 * not a trusted proxy.
 */
export function networkAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trusted: BlockList | null,
): string {
  const direct = plain(socketAddress ?? 'unknown')
  if (trusted === null || forwardedFor === null || !isTrusted(direct, trusted)) return direct
  const hops = forwardedFor.split(',').map((hop) => plain(hop.trim()))
  for (const hop of hops.toReversed()) if (isIP(hop) !== 0 && !isTrusted(hop, trusted)) return hop
  return direct
}

/** Parses addresses and networks ('10.0.0.0/8'); null for an empty list. @throws Error for an entry that is neither */
export function trustedProxies(list: readonly string[]): BlockList | null {
  if (list.length === 0) return null
  const block = new BlockList()
  for (const entry of list) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) throw new Error(`TRUSTED_PROXIES: ${entry} is not an address or a network`)
    if (bits === undefined) block.addAddress(address, family)
    else block.addSubnet(address, Number(bits), family)
  }
  return block
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
