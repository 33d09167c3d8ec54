/** Networks of version 4 that are not the public internet, with the length of their prefix (IANA's registry of special addresses). */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Holds the metadata services of cloud providers.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Whether an address is one of the public internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (V4.test(address)) return isPublicV4(address)
  const groups = groupsOf(address.split('%')[0] ?? '')
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) && isPublicV6(groups)
}

function isPublicV4(address: string): boolean {
  const value = numberOf(address)
  return !SPECIAL_V4.some(([network, bits]) => value >>> (32 - bits) === numberOf(network) >>> (32 - bits))
}

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) >>> 0

/** Global unicast but for documentation, tunnels and assignments of the protocol; addresses that hold one of version 4 by that one. */
function isPublicV6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  const last = [groups[6] ?? 0, groups[7] ?? 0].flatMap((group) => [group >>> 8, group & 255]).join('.')
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0)
  // ::ffff:0:0/96 and NAT64, 64:ff9b::/96
  if (isZero(0, 5) && groups[5] === 0xffff) return isPublicV4(last)
  if (first === 0x64 && second === 0xff9b && isZero(2, 6)) return isPublicV4(last)
  const isGlobal = first >>> 13 === 1
  const isSpecial = (first === 0x2001 && (second < 0x200 || second === 0xdb8)) || first === 0x2002 || first === 0x3fff
  return isGlobal && !isSpecial
}

/** The eight groups of an address of version 6, as a resolver or a URL writes it; other texts give something else. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = withoutDots(address).split('::')
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)))
  const [before, after] = [numbers(head), numbers(tail ?? '')]
  return [
    ...before,
    ...Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => 0),
    ...after,
  ]
}

/** An address whose end is written as one of version 4, in groups alone. */
function withoutDots(address: string): string {
  const end = /[\d.]+$/.exec(address)?.[0] ?? ''
  if (!end.includes('.')) return address
  const value = numberOf(end)
  return `${address.slice(0, -end.length)}${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
}
