import { expect, test } from 'vitest'
import { imageAddressesIn } from './offline-images.ts'

test('images are found in every text of a question, each once, and only ours', () => {
  const [one, two] = ['a.webp', 'b.svg'].map((name) => `/pictures/${name.replace(/^./, (letter) => letter.repeat(64))}`)
  const questions = [
    { stem: `Look:\n\n![A plan](${one})`, options: [{ text: `![The same](${one})` }] },
    { stem: 'No image', explanation: `![Why](${two}) ![Foreign](https://example.com/c.webp)` },
  ]
  expect(imageAddressesIn(questions)).toEqual([one, two])
})
