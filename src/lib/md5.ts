import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The same hex digits as PostgreSQL's md5(text), for fingerprints that both sides compute. Not for secrets. */
export function md5Hex(text: string): string {
  return bytesToHex(md5(utf8ToBytes(text)))
}
