// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { keepFocus } from './focus-keeper-client.ts'
import { followFocus } from './focus-trail-client.ts'

test('the focus comes back also when the code that brings it back arrives after the press that lost it', async () => {
  // The environment draws nothing: what is in the document is shown.
  Element.prototype.checkVisibility ??= () => true
  document.body.innerHTML = `<main id="main"><h1>Courses</h1>
    <ul><li id="gone"><button id="one">Delete one</button></li><li><button id="two">Delete two</button></li></ul>
    <dialog id="asks"><button id="yes">Delete</button></dialog></main>`
  const get = (id: string) => document.getElementById(id)!
  // The focus may have come before any script ran.
  get('one').focus()
  followFocus()
  get('yes').focus()
  get('asks').remove()
  get('gone').remove()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(document.activeElement).toBe(document.body)
  keepFocus()
  expect(document.activeElement?.id).toBe('two')
})
