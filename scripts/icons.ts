// npx tsx scripts/icons.ts: draws the icons of the installed app from our mark into public/icons.
import { mkdirSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { chromiumArguments, findChromium } from '../tests/support/chromium.ts'

const paper = '#1c4fd0'
/** `share` is the part of the icon that the mark fills. Systems may crop a fifth from each side of a maskable icon. */
const icons = [
  { name: 'icon-180', size: 180, share: 0.95, radius: 0 },
  { name: 'icon-192', size: 192, share: 0.95, radius: 0.22 },
  { name: 'icon-512', size: 512, share: 0.95, radius: 0.22 },
  { name: 'maskable-512', size: 512, share: 0.75, radius: 0 },
]

const executablePath = findChromium()
const browser = await chromium.launch({
  args: chromiumArguments,
  ...(executablePath === null ? {} : { executablePath }),
})
mkdirSync('public/icons', { recursive: true })
for (const { name, size, share, radius } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const edge = (32 / share - 32) / 2
  const box = 32 + 2 * edge
  await page.setContent(`<body style="margin:0"><svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"
    viewBox="${-edge} ${-edge} ${box} ${box}" style="display:block">
    <rect x="${-edge}" y="${-edge}" width="${box}" height="${box}" rx="${box * radius}" fill="${paper}"/>
    <path d="M4 21a5.5 5.5 0 015-5.5A7.5 7.5 0 0123.6 14 5 5 0 0124 24H9a5 5 0 01-5-3z" fill="#fff" opacity=".28"/>
    <path d="M10 20.5l4 4L27 9.5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`)
  await page.screenshot({ path: `public/icons/${name}.png`, omitBackground: true })
  await page.close()
}
await browser.close()
