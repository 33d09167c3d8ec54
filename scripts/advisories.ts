// npm run advisories: known security advisories of the production dependencies, from the registry. Exits with 1 when there is one,
// with 2 when the registry does not answer. No part of `npm test`, which works without a network.
import { spawnSync } from 'node:child_process'

type Advisory = { readonly title?: string; readonly url?: string; readonly range?: string }
type Vulnerable = { readonly name: string; readonly severity: string; readonly via: readonly (string | Advisory)[] }
type Report = {
  readonly vulnerabilities?: Record<string, Vulnerable>
  readonly message?: string
  readonly error?: { summary?: string }
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 120_000 })
const report = parse(stdout)
const vulnerable = report?.vulnerabilities

if (vulnerable === undefined) {
  const why = report?.error?.summary || report?.message
  console.error(`The registry did not answer, so nothing is known about advisories${why ? `: ${why}` : ''}.`)
  process.exitCode = 2
} else {
  for (const { name, severity, via } of Object.values(vulnerable))
    for (const advisory of via)
      if (typeof advisory === 'object')
        console.error(`${severity}  ${name} ${advisory.range ?? ''}: ${advisory.title ?? ''} ${advisory.url ?? ''}`)
  const count = Object.keys(vulnerable).length
  console.log(count === 0 ? 'No known advisories.' : `${count} packages have known advisories.`)
  if (count > 0) process.exitCode = 1
}

function parse(text: string): Report | null {
  try {
    return JSON.parse(text) as Report
  } catch {
    return null
  }
}
