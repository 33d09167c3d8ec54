import { expect, test } from 'vitest'
import { selectStyles } from './critical-styles.server.ts'

const sheet = String.raw`/*! a licence */
@layer properties{@supports (color:red){*{--tw-border-style:solid}}}@layer base{html{color:red}a[href$=".pdf"]{color:blue}}@layer utilities{.a{color:green}.tablet\:hidden{display:none}@media (width>=768px){.tablet\:flex{display:flex}}.\[\&\>p\]\:mt-2>p{margin-top:8px}.b:hover,.c{border-style:var(--tw-border-style)}.spin{animation:spin 1s}.w-1\.5{width:6px}.quoted:before{content:"}{;"}}@media print{html{color:#000}}@property --tw-border-style{syntax:"*";inherits:false}@keyframes spin{to{rotate:360deg}}`

test('a page has the rules of its classes and elements, and those without either, in the order of the sheet', () => {
  const { css } = selectStyles(sheet)('<html><a class="a tablet:flex">x</a></html>')
  expect(css).toBe(
    String.raw`@layer properties;@layer base{html{color:red}a[href$=".pdf"]{color:blue}}@layer utilities{.a{color:green}@media (width>=768px){.tablet\:flex{display:flex}}}`,
  )
})

test('a class with signs is found, also when the HTML escapes them', () => {
  const { css } = selectStyles(sheet)('<p class="[&amp;&gt;p]:mt-2 w-1.5 quoted">x</p>')
  expect(css).toContain(String.raw`.\[\&\>p\]\:mt-2>p{margin-top:8px}`)
  expect(css).toContain(String.raw`.w-1\.5{width:6px}.quoted:before{content:"}{;"}`)
})

test('registered properties and animations come with the rules that name them', () => {
  expect(selectStyles(sheet)('<p class="c">x</p>').css).toContain('@property --tw-border-style')
  expect(selectStyles(sheet)('<p class="c">x</p>').css).not.toContain('@keyframes')
  expect(selectStyles(sheet)('<p class="spin">x</p>').css).toContain('@keyframes spin{to{rotate:360deg}}')
})

test('what is not in the page, and states that nothing is in before it is painted, wait for the whole sheet', () => {
  const rules = String.raw`*,:before,::backdrop{margin:0}table{color:red}h1,td{color:red}p:where([lang=en],i):hover,.c:focus{color:red}.a:not(:hover){color:red}.hover\:a:hover{color:red}.c:focus-visible{color:red}:disabled{color:red}`
  const { css } = selectStyles(rules)('<h1 class="a c hover:a">x</h1><p>x</p>')
  expect(css).toBe(
    '*,:before,::backdrop{margin:0}h1,td{color:red}.a:not(:hover){color:red}.c:focus-visible{color:red}:disabled{color:red}',
  )
})

test('pages with the same classes have the same bytes, whatever their order', () => {
  const select = selectStyles(sheet)
  expect(select('<p class="a"></p><p class="b unknown"></p>')).toBe(select('<p class="b a"></p>'))
})

test('fonts that are loaded wait for the whole sheet; those of the device do not', () => {
  const fonts = '@font-face{font-family:A;src:url(/a.woff2)}@font-face{font-family:B;src:local(Arial)}'
  expect(selectStyles(fonts)('<p></p>').css).toBe('@font-face{font-family:B;src:local(Arial)}')
})
