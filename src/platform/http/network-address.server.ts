import { BlockList, isIP } from 'node:net'

/**
 * The address of the client: the socket's. If the socket belongs to a trusted proxy, it is the last hop in X-Forwarded-For that is
 * not a trusted proxy. A hop that cannot be read ends the search at the proxy that wrote it: everything to its left may be forged.
 */
export function networkAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trusted: BlockList | null,
): string {
  const direct = plain(socketAddress ?? 'unknown')
  if (trusted === null || forwardedFor === null || !isTrusted(direct, trusted)) return direct
  let nearest = direct
  for (const hop of forwardedFor.split(',').toReversed()) {
    const address = addressOfHop(hop.trim())
    if (address === null) return nearest
    if (!isTrusted(address, trusted)) return address
    nearest = address
  }
  return nearest
}

/** The address of '192.0.2.1', '192.0.2.1:4711', '2001:db8::1', '[2001:db8::1]' or '[2001:db8::1]:443'; null for anything else. */
function addressOfHop(hop: string): string | null {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? []
  const address = plain(inBrackets ?? beforePort ?? hop)
  return isIP(address) === 0 || address.includes('%') ? null : address
}

/** Parses addresses and networks ('10.0.0.0/8'); null for an empty list. @throws Error for an entry that is neither */
export function trustedProxies(list: readonly string[]): BlockList | null {
  if (list.length === 0) return null
  const block = new BlockList()
  for (const entry of list) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const version = isIP(address)
    if (version === 0 || Number(bits ?? 0) > (version === 6 ? 128 : 32))
      throw new Error(`TRUSTED_PROXIES: ${entry} is not an address or a network`)
    const family = version === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) block.addAddress(address, family)
    else block.addSubnet(address, Number(bits), family)
  }
  return block
}

/** Whether the address is one of a trusted proxy. */
export function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function plain(address: string): string {
  return /^::ffff:[\d.]+$/i.test(address) ? address.slice(7) : address
}
