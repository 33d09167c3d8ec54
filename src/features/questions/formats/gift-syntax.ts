/** A part of the block in braces: `=text`, `~text` or `~%50%text`, with `#feedback` behind it. */
interface GiftPart {
  sign: string
  weight: number | null
  text: string
  feedback: string
}

/** Texts and feedback are still escaped. */
export function giftParts(content: string): GiftPart[] {
  const parts: GiftPart[] = []
  let at = indexOfSign(content, '=~')
  while (at !== -1) {
    const next = indexOfSign(content, '=~', at + 1)
    const written = content.slice(at + 1, next === -1 ? undefined : next).trim()
    const weight = /^%(-?\d{1,3}(?:\.\d{1,10})?)%/.exec(written)
    const rest = weight ? written.slice(weight[0].length) : written
    const [text = '', ...feedback] = splitAt(rest, '#')
    parts.push({
      sign: content.charAt(at),
      weight: weight ? Number(weight[1]) : null,
      text,
      feedback: feedback.join('#'),
    })
    at = next
  }
  return parts
}

/** The index of the first of these signs without a backslash before it; `####` and `::` are looked for as a whole. */
export function indexOfSign(text: string, signs: string, from = 0): number {
  const isRun = signs === '####' || signs === '::'
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\') at += 1
    else if (isRun ? text.startsWith(signs, at) : signs.includes(sign)) return at
  }
  return -1
}

export function splitAt(text: string, sign: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = indexOfSign(text, sign); at !== -1; at = indexOfSign(text, sign, from)) {
    parts.push(text.slice(from, at))
    from = at + 1
  }
  return [...parts, text.slice(from)]
}

export function unescaped(text: string): string {
  return text.replace(/\\([\\:#={}~n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
}

export function escapeGift(text: string): string {
  return text.replace(/[\\:#={}~]/g, '\\$&').replaceAll('\n', '\\n')
}
