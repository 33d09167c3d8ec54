import { expect, test } from 'vitest'
import { readLines } from './json-lines-client.ts'

/** A reply whose bytes arrive in pieces; `cut` breaks the connection after the last. */
function arriving(pieces: readonly Uint8Array[], cut = false): ReadableStream<Uint8Array> {
  const rest = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift()
      if (piece !== undefined) controller.enqueue(piece)
      else if (cut) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
}

const bytes = new TextEncoder().encode('{"title":"Überblick 🙂","questions":[1]}\n{"questions":[1,2]}\n')

test('the parts are put together wherever the bytes are cut, and the first is given once', async () => {
  for (let at = 1; at < bytes.length; at += 1) {
    const firsts: object[] = []
    const pieces = [bytes.slice(0, at), bytes.slice(at)]
    expect(await readLines(arriving(pieces), (part) => firsts.push(part))).toEqual({
      title: 'Überblick 🙂',
      questions: [1, 2],
    })
    expect(firsts).toEqual([{ title: 'Überblick 🙂', questions: [1] }])
  }
})

test('a reply that breaks off is no reply, with its first part given or not', async () => {
  const firsts: object[] = []
  const read = (pieces: Uint8Array[], cut = false) => readLines(arriving(pieces, cut), (part) => firsts.push(part))
  const end = bytes.indexOf(10) + 1
  await expect(read([bytes.slice(0, end)], true)).rejects.toThrow(TypeError)
  expect(firsts).toHaveLength(1)
  await expect(read([bytes.slice(0, end + 5)])).rejects.toThrow('ends within a line')
  await expect(read([bytes.slice(0, end - 2)])).rejects.toThrow('ends within a line')
  expect(firsts).toHaveLength(2)
})
