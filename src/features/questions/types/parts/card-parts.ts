import type { WrittenCard } from '../type-formats.ts'
import { copy } from './answers.copy.ts'

/** Options under the letters A, B, C. @param html of each */
export function letteredHtml(html: readonly string[]): string {
  return `<ol type="A">${html.map((one) => `<li>${one}</li>`).join('')}</ol>`
}

/** What a learner is asked to do, above the options. */
export function taskHtml(sentence: string): string {
  return `<p><b>${sentence}</b></p>`
}

/** The back of a card, with an answer under the letter or number that it has on the front; its name is empty where it has none. */
export function answersHtml(answers: readonly { readonly name: string; readonly html: string }[]): string {
  const lines = answers.map(({ name, html }) => `<li>${name === '' ? '' : `<b>${name}</b> `}${html}</li>`)
  return `<p><b>${copy['answer.right']}</b></p><ul>${lines.join('')}</ul>`
}

/** A card whose front is only the text: the learner thinks of the answer. */
export function writtenCard(answers: readonly string[]): WrittenCard {
  return { front: '', back: answersHtml(answers.map((html) => ({ name: '', html }))) }
}
