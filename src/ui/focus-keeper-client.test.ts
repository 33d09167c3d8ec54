// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { keepFocus } from './focus-keeper-client.ts'
import { followFocus } from './focus-trail-client.ts'

beforeAll(() => {
  // The environment draws nothing: what is in the document is shown.
  Element.prototype.checkVisibility ??= () => true
  followFocus()
  keepFocus()
})
beforeEach(() => {
  document.body.innerHTML = `
    <main id="main"><h1>Courses</h1>
      <section aria-labelledby="list"><h2 id="list">Drafts</h2>
        <ul><li><button id="one">Delete one</button></li><li><button id="two">Delete two</button></li></ul>
        <div id="place"><button id="check">Check</button></div>
      </section>
    </main>`
})

const get = (id: string) => document.getElementById(id)!
const focused = () => document.activeElement?.id ?? ''
const elementOf = (html: string) => {
  const holder = document.createElement('div')
  holder.innerHTML = html
  return holder.firstElementChild!
}
const nextDrawing = () => new Promise((resolve) => setTimeout(resolve, 10))

test('the focus goes from a removed row to the next one, and from the last one to the heading', async () => {
  get('one').focus()
  get('one').closest('li')!.remove()
  await expect.poll(focused).toBe('two')
  get('place').remove()
  get('two').closest('li')!.remove()
  await expect.poll(focused).toBe('list')
})

test('the focus goes to the replacement of a button, also when more is drawn right after it', async () => {
  get('check').focus()
  get('check').replaceWith(elementOf('<p><a id="next" href="/next">Next</a></p>'))
  await nextDrawing()
  document.body.append(elementOf('<div data-layer="toasts">Saved</div>'))
  await expect.poll(focused).toBe('next')
})

test('the focus stays where a screen puts it', async () => {
  get('check').focus()
  get('check').remove()
  get('two').focus()
  await nextDrawing()
  document.body.append(elementOf('<p>More</p>'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(focused()).toBe('two')
})

test('the focus stays on an element that is moved, or hidden for a moment', async () => {
  get('one').focus()
  const row = get('one').closest('li')!
  row.parentElement!.append(row)
  // happy-dom leaves the focus on what is moved; browsers drop it.
  get('one').blur()
  row.parentElement!.append(elementOf('<li>More</li>'))
  await expect.poll(focused).toBe('one')
})

test('a click beside everything gives the focus up', async () => {
  get('one').focus()
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  get('one').blur()
  await nextDrawing()
  document.body.append(elementOf('<p>More</p>'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(document.activeElement).toBe(document.body)
})
