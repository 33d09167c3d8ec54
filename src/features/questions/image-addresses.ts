/** The scheme under which a text shows an image of its file, until the image is stored and has an address. */
export const IMAGE_SCHEME = 'picture:'

/** `![description](address)`. No part of it can begin another one, so that a search takes linear time. */
const SHOWN = /!\[([^[\]\n]*)\]\(([^()\s]+)\)/g

/** Replaces the addresses of images in a text. Addresses for which the function returns undefined stay. */
export function withAddresses(text: string, addressOf: (address: string) => string | undefined): string {
  if (!text.includes('![')) return text
  return text.replace(SHOWN, (whole, alt: string, address: string) => {
    const other = addressOf(address)
    return other === undefined ? whole : `![${alt}](${other})`
  })
}

export function imagesIn(text: string): { alt: string; address: string }[] {
  if (!text.includes('![')) return []
  return [...text.matchAll(SHOWN)].map(([, alt = '', address = '']) => ({ alt, address }))
}

export function shownImages(text: string): string[] {
  return imagesIn(text).map(({ address }) => address)
}

/** The addresses of all images in the texts, each once. */
export function imagesShownBy(texts: string[]): string[] {
  return [...new Set(texts.flatMap(shownImages))]
}
