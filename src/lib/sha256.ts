import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { nativeHash } from './native-hash.ts'

/** SHA-256 of the text's UTF-8 bytes, as lower-case hex. Runs in browsers, workers and Node; a lone surrogate counts as U+FFFD. */
export function sha256Hex(text: string): string {
  return nativeHash?.('sha256', text) ?? portableSha256Hex(text)
}

/** The same where Node is not. */
export function portableSha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
