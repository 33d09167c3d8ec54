import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { nativeHash } from './native-hash.ts'

/** The same hex digits as PostgreSQL's md5(text), for fingerprints that both sides compute. Not for secrets. */
export function md5Hex(text: string): string {
  return nativeHash?.('md5', text) ?? portableMd5Hex(text)
}

/** The same where Node is not. */
export function portableMd5Hex(text: string): string {
  return bytesToHex(md5(utf8ToBytes(text)))
}
