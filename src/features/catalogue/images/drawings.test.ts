import { expect, test } from 'vitest'
import { isSvg, redraw } from './drawings.ts'
import { DRAWING_MAX_BYTES } from './images.ts'

const svg = (inside: string, attributes = 'viewBox="0 0 400 200"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`

const STYLE = `<style>
    rect { fill: #fff; stroke: #121b2b }
    @media (prefers-color-scheme: dark) { rect { fill: #0e1420; stroke: rgb(233 238 247) } }
  </style>`
const DRAWN = `${STYLE}
  <title>A &amp; B</title>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" orient="auto"><path d="M0 0l8 4-8 4z"/></marker></defs>
  <g transform="translate(4 -2)"><rect class="box" x="1" y="2" width="30" height="20" rx="4"/></g>
  <line x1="0" y1="0" x2="9" y2="9" marker-end="url(#tip)"/>
  <text x="4" y="8" font-family="system-ui, sans-serif" text-anchor="middle">VPC <tspan>10.0.0.0/16</tspan></text>`

const bytesOf = (text: string) => new TextEncoder().encode(text)
const drawn = (text: string) => {
  const drawing = redraw(bytesOf(text))
  if ('refused' in drawing) throw new Error(drawing.refused)
  return drawing
}

test('a drawing keeps its shapes, texts and styles, and has the size of its viewBox', () => {
  const drawing = drawn(`<?xml version="1.0"?><!-- by hand -->${svg(DRAWN, 'viewBox="0 0 400 200" width="9000"')}`)
  const text = new TextDecoder().decode(drawing.bytes)
  expect(drawing).toMatchObject({ width: 400, height: 200, address: `/pictures/${drawing.id}.svg` })
  expect(text).toBe(
    `${svg(DRAWN, 'width="400" height="200" viewBox="0 0 400 200"').replaceAll(/"(?=[^<>]*<\/style>)/g, '&quot;')}\n`,
  )
})

test('rewriting a rewritten drawing changes neither its bytes nor its address', () => {
  const once = drawn(svg(DRAWN))
  const twice = redraw(once.bytes)
  expect(twice).toEqual(once)
})

test.each([
  ['a script', svg('<script>alert(1)</script>'), 'it has the element <script>'],
  ['a script of another namespace', svg('<x:script xmlns:x="http://www.w3.org/2000/svg"/>'), 'the element <script>'],
  ['HTML', svg('<foreignObject><b>x</b></foreignObject>'), 'the element <foreignObject>'],
  ['an event handler', svg('<rect onclick="alert(1)"/>'), 'it has the attribute onclick'],
  ['a handler of the root', svg('', 'viewBox="0 0 4 4" onload="alert(1)"'), 'it has the attribute onload'],
  ['a link', svg('<a href="https://example.com"><rect/></a>'), 'the element <a>'],
  ['an image', svg('<image href="https://example.com/a.png"/>'), 'the element <image>'],
  ['a reference', svg('<use href="https://example.com/a.svg#b"/>'), 'the element <use>'],
  ['a drawing inside', svg('<svg/>'), 'the element <svg>'],
  ['movement', svg('<rect><animate attributeName="x"/></rect>'), 'the element <animate>'],
  ['an outside color', svg('<rect fill="url(https://example.com/#a)"/>'), 'its fill is'],
  ['an inline style', svg('<rect style="fill: red"/>'), 'the attribute style'],
  ['a style that loads', svg('<style>rect { fill: url(//example.com) }</style>'), 'the function url()'],
  ['a style that loads an image', svg('<style>a { b: image-set("//e.com" 1x) }</style>'), 'the function image-set()'],
  ['a style of another file', svg('<style>@import "//example.com";</style>'), 'the rule @import'],
  ['a font', svg('<style>@font-face { src: local(x) }</style>'), 'the rule @font-face'],
  ['a hidden name', svg('<style>@\\69mport "//example.com"</style>'), 'the character \\'],
  ['text outside of texts', svg('<g>Hello</g>'), 'it has text in <g>'],
  ['a DOCTYPE', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`, 'it has a DOCTYPE'],
  ['an entity', svg('<text>&custom;</text>'), 'it has the entity &custom;'],
  ['another namespace', '<svg xmlns="http://example.com" viewBox="0 0 4 4"/>', 'its xmlns is'],
  ['no size', svg('', ''), 'it is no svg with a viewBox'],
  ['a huge size', svg('', 'viewBox="0 0 9000 10"'), 'it is no svg with a viewBox'],
  ['a missing end', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><g>', 'it is not well-formed XML'],
  ['too many parts', svg('<g/>'.repeat(2001)), 'more than 2000 elements'],
  ['too deep parts', svg('<g>'.repeat(30) + '</g>'.repeat(30)), 'nested deeper than 20 levels'],
  ['too many bytes', svg(`<desc>${'x'.repeat(DRAWING_MAX_BYTES)}</desc>`), 'it has more than 64 kB'],
])('a drawing with %s is refused whole', (_what, text, sentence) => {
  expect(redraw(bytesOf(text))).toEqual({ refused: expect.stringContaining(sentence) })
})

test('SVG is recognized by its beginning, and HTML with SVG in it is not SVG', () => {
  const is = (text: string) => isSvg(bytesOf(text))
  expect([svg(''), `\ufeff<?xml version="1.0"?>\n<!-- a -->\n${svg('')}`].map(is)).toEqual([true, true])
  expect([`<!doctype html>${svg('')}`, '<svgx/>', 'text', ''].map(is)).toEqual([false, false, false, false])
})
