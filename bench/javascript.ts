import { scriptsOf, weighHelloPage, weighScripts, type ScriptWeight } from '../tests/support/script-weight.ts'
import { launchBrowser, phone } from './slow-phone.ts'
import { figureRow, limitRow, type Row } from './table.ts'

/** Against a page of the same framework that says hello. */
const HELLO_LIMIT = 1.15

/** The compressed scripts that a first visit to `/` loads, beside those of a hello page that is built in the same run. */
export async function benchJavaScript(url: string): Promise<Row[]> {
  const hello = weighHelloPage()
  const home = await scriptsOf(url)
  const row = limitRow('scripts of / against a hello page (brotli)', home.bytes / hello.bytes, HELLO_LIMIT, '', 2)
  const all = await scriptsWhenIdle(url)
  return [
    { ...row, measured: `${row.measured}  (${sizeOf(home)}, hello ${sizeOf(hello)})` },
    figureRow('the same with what a guest loads once the page is usable', sizeOf(all)),
  ]
}

const sizeOf = ({ bytes, files }: ScriptWeight) => `${(bytes / 1000).toFixed(1)} kB in ${files.length} files`

/** What a browser has loaded when nothing more comes by itself. */
async function scriptsWhenIdle(url: string): Promise<ScriptWeight> {
  const browser = await launchBrowser()
  try {
    const page = await phone(browser, url)
    await page.goto(url)
    await page.waitForFunction(() => 'started' in document.documentElement.dataset)
    await page.waitForLoadState('networkidle')
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const paths = names.map((name) => new URL(name).pathname).filter((path) => /^\/assets\/.+\.js$/.test(path))
    return await weighScripts(url, [...new Set(paths)])
  } finally {
    await browser.close()
  }
}
