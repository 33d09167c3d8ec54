import type { AttachedImage } from './formats.schema.ts'

/** The beginning of a PNG of this size, which is all that says its size. */
export function aPng(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

/** An image for each address, under the last part of the address. */
export function imagesAt(addresses: readonly string[], bytes: Uint8Array): Map<string, AttachedImage> {
  return new Map(addresses.map((address) => [address, { name: address.split('/').at(-1) ?? '', bytes }]))
}
