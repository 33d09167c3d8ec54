// npm test: runs the checks, vitest and the browser tests; the last line has the totals.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { counted } from '../src/lib/text.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { findNginx } from '../tests/support/find-nginx.ts'
import { findPgBouncer } from '../tests/support/start-pgbouncer.ts'

type Tally = {
  readonly passed: number
  readonly failed: number
  readonly flaky?: number
  /** A line for each failed or flaky test: its file and title. */
  readonly notes?: readonly string[]
}

/** A step that takes longer is killed; even on a busy machine, none takes longer than about half of it. */
const STEP_MINUTES = 60

const isRoot = process.getuid?.() === 0
const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

const reports = mkdtempSync(join(tmpdir(), 'altocert-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const failedChecks = await runChecks()
const catalogue = await checkCatalogue()
await installPgBouncer()
const unit = await runVitest()
await installNginx()
const browser = (await hasChromium()) ? await runPlaywright() : { passed: 0, failed: 1, flaky: 0 }

const passed = catalogue.passed + unit.passed + browser.passed
const failed = catalogue.failed + unit.failed + browser.failed
const flaky = (unit.flaky ?? 0) + (browser.flaky ?? 0)
if (failedChecks.length > 0) console.log(`\nFailed checks: ${failedChecks.join(', ')}`)
if (flaky > 0) console.log(`\n${counted(flaky, 'test is', 'tests are')} FLAKY: passed only on a later try (see below).`)
const notes = [...(unit.notes ?? []), ...(browser.notes ?? [])]
if (notes.length > 0) console.log(`\n${notes.join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 || failedChecks.length > 0 ? 1 : 0

/** The parts of `npm run check` except tests. All of them run, so that one failure does not hide another. */
async function runChecks(): Promise<string[]> {
  const checks = ['format', 'types', 'lint', 'directions', 'features', 'map -- --check', 'env -- --check', 'licenses']
  const failed: string[] = []
  for (const check of checks) {
    console.log(`\n> npm run ${check}`)
    if ((await run('npm', ['run', '--silent', ...check.split(' ')])) !== 0) failed.push(check)
  }
  return failed
}

/** The demo catalogue must have no findings. */
async function checkCatalogue(): Promise<Tally> {
  console.log('\n> npm run altocert -- check content')
  const isGood = (await run('npm', ['run', '--silent', 'altocert', '--', 'check', 'content'])) === 0
  return isGood ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Tests that pass on the second try count as passed and are listed as flaky, because a shared machine may stall for seconds. */
async function runVitest(): Promise<Tally> {
  const report = join(reports, 'vitest.json')
  const flakyReport = join(reports, 'flaky.json')
  const reporters = ['default', 'json', './scripts/flaky-reporter.ts'].map((name) => `--reporter=${name}`)
  const code = await run('npx', ['vitest', 'run', '--retry=1', ...reporters, `--outputFile.json=${report}`], {
    FLAKY_REPORT: flakyReport,
  })
  const flaky = existsSync(flakyReport)
    ? (JSON.parse(readFileSync(flakyReport, 'utf8')) as readonly { readonly file: string; readonly title: string }[])
    : []
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport<VitestReport>(report)
  const notes = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
      // A file that cannot be loaded has no tests, only a message.
      return (failed.length > 0 ? failed : [firstLine(message)]).map((title) => note('FAILED', name, title))
    })
  notes.push(...flaky.map(({ file, title }) => note('FLAKY', file, title)))
  return { ...tally(code, numPassedTests, numFailedTests), flaky: flaky.length, notes }
}

/** As for vitest, with two more tries: a browser test takes up to a minute, in which a busy machine stalls more often. */
async function runPlaywright(): Promise<Tally> {
  const report = join(reports, 'playwright.json')
  const code = await run('npx', ['playwright', 'test', '--retries=2', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const { stats, suites = [], errors = [] } = readReport<PlaywrightReport>(report)
  const flaky = stats?.flaky ?? 0
  const notes = [
    ...errors.map(({ message = '' }) => note('FAILED', 'playwright', firstLine(message))),
    ...suites.flatMap(listSpecs).flatMap(({ file, title, tests }) => {
      if (tests.some(({ status }) => status === 'unexpected')) return [note('FAILED', `tests/e2e/${file}`, title)]
      return tests.some(({ status }) => status === 'flaky') ? [note('FLAKY', `tests/e2e/${file}`, title)] : []
    }),
  ]
  return { ...tally(code, (stats?.expected ?? 0) + flaky, stats?.unexpected ?? 0), flaky, notes }
}

type VitestReport = {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}
type Spec = { readonly file: string; readonly title: string; readonly tests: readonly { readonly status: string }[] }
type Suite = { readonly specs: readonly Spec[]; readonly suites?: readonly Suite[] }
type PlaywrightReport = {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly suites: readonly Suite[]
  readonly errors: readonly { readonly message?: string }[]
}

function listSpecs({ specs, suites = [] }: Suite): readonly Spec[] {
  return [...specs, ...suites.flatMap(listSpecs)]
}

function note(kind: 'FAILED' | 'FLAKY', file: string, title: string): string {
  return `${kind} ${isAbsolute(file) ? relative(process.cwd(), file) : file}: ${title}`
}

function firstLine(message: string): string {
  return message.trim().split('\n')[0] ?? ''
}

/** A runner that fails without a failed test (a file cannot be loaded, a server does not start) counts as one failure. */
function tally(code: number, passedTests: number, failedTests: number): Tally {
  return { passed: passedTests, failed: code === 0 ? failedTests : Math.max(1, failedTests) }
}

function readReport<Report>(path: string): Partial<Report> {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : {}
}

async function installPackages(...names: string[]): Promise<void> {
  if ((await run('apt-get', ['update', '-q'])) === 0)
    await run('apt-get', ['install', '-y', '-q', ...names], {
      DEBIAN_FRONTEND: 'noninteractive',
    })
}

/** Installs PgBouncer when it is missing, for the test of deploy/pgbouncer.ini. That test is skipped without it, and says so. */
async function installPgBouncer(): Promise<void> {
  if (findPgBouncer() !== null) return
  if (isRoot && isDebian) {
    console.log('\nNo PgBouncer was found: installing it with apt-get.')
    await installPackages('pgbouncer')
  }
  if (findPgBouncer() === null)
    console.warn('\nThere is no PgBouncer, so its test is SKIPPED. Install pgbouncer and try again.')
}

/** Installs nginx when it is missing, for the test of deploy/nginx.conf. That test is skipped without it, and says so. */
async function installNginx(): Promise<void> {
  if (findNginx() !== null) return
  if (isRoot && isDebian) {
    console.log('\nNo nginx was found: installing it with apt-get.')
    await installPackages('nginx-light')
  }
  if (findNginx() === null)
    console.warn('\nThere is no nginx, so the test of deploy/nginx.conf is SKIPPED. Install nginx-light and try again.')
}

/** Installs Chromium when it is missing. Returns whether there is one. */
async function hasChromium(): Promise<boolean> {
  if (findChromium('whole') !== null && (!isDebian || existsSync('/usr/bin/chromium-headless-shell'))) return true
  if (isRoot && isDebian) {
    console.log('\nNo Chromium was found, or not its headless shell: installing both with apt-get.')
    await installPackages('chromium', 'chromium-headless-shell')
  } else if (findChromium('whole') === null) {
    console.log("\nNo Chromium was found: installing Playwright's own.")
    await run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  }
  if (findChromium('whole') !== null) return true
  console.error('No Chromium could be installed, so the browser tests did not run. Install one and try again.')
  return false
}

/** Runs a command and returns its exit code. Kills it with all its children after STEP_MINUTES. */
function run(command: string, args: string[], extra: Record<string, string> = {}): Promise<number> {
  const isWindows = process.platform === 'win32'
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...extra },
    shell: isWindows,
    detached: !isWindows,
  })
  return new Promise((resolve) => {
    const end = (signal: NodeJS.Signals) => {
      if (child.pid !== undefined && !isWindows) process.kill(-child.pid, signal)
      else child.kill(signal)
    }
    const limit = setTimeout(() => {
      console.error(`\n${command} ${args.join(' ')} did not end within ${STEP_MINUTES} minutes and was killed.`)
      end('SIGKILL')
    }, STEP_MINUTES * 60_000)
    const passOn = (signal: NodeJS.Signals) => end(signal)
    process.on('SIGINT', passOn).on('SIGTERM', passOn)
    child.on('close', (code) => {
      clearTimeout(limit)
      process.off('SIGINT', passOn).off('SIGTERM', passOn)
      resolve(code ?? 1)
    })
    child.on('error', () => resolve(1))
  })
}
