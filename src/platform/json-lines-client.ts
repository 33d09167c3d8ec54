/**
 * Reads a reply in lines, of which each overrides fields of those before it. `onFirst` gets the first line as soon as it has arrived.
 * @throws TypeError where the connection ends before the reply does, SyntaxError where a line is not JSON
 */
export async function readLines(body: ReadableStream<Uint8Array>, onFirst: (part: object) => void): Promise<object> {
  let text = ''
  const lines: object[] = []
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      lines.push(JSON.parse(text.slice(0, end)) as object)
      text = text.slice(end + 1)
      if (lines.length === 1) onFirst(lines[0] as object)
    }
    if (done) break
  }
  if (text !== '') throw new SyntaxError('the reply ends within a line')
  return Object.assign({}, ...lines) as object
}
