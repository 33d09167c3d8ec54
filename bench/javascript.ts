import { scriptsOf, weighHelloPage } from '../tests/support/script-weight.ts'
import { limitRow, type Row } from './table.ts'

/** Against a page of the same framework that says hello. */
const HELLO_LIMIT = 1.15

/** The compressed scripts that a first visit to `/` loads, beside those of a hello page that is built in the same run. */
export async function benchJavaScript(url: string): Promise<Row[]> {
  const hello = weighHelloPage()
  const home = await scriptsOf(url)
  const row = limitRow('scripts of / against a hello page (brotli)', home.bytes / hello.bytes, HELLO_LIMIT, '', 2)
  const sizes = `${(home.bytes / 1000).toFixed(1)} kB in ${home.files.length} files, hello ${(hello.bytes / 1000).toFixed(1)} kB`
  return [{ ...row, measured: `${row.measured}  (${sizes})` }]
}
