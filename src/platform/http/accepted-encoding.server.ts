/** The best encoding that a caller accepts, of those that we keep; null for none. Refusals such as `br;q=0` count. */
export function acceptedEncoding<Name extends 'br' | 'gzip'>(
  accepted: string | null,
  ours: readonly Name[],
): Name | null {
  const parts = (accepted ?? '').toLowerCase().split(',')
  const names = parts.flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return parameters.some((text) => /^q=0(\.0*)?$/.test(text)) ? [] : [name]
  })
  return ours.find((name) => names.includes(name)) ?? null
}
