// npm test: every test there is. First the checks (in CI), then vitest, then the browser; the last line sums them up.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../tests/support/chromium.ts'

type Tally = { readonly passed: number; readonly failed: number; readonly flaky?: number }

/** No step takes half of it, even on a busy machine. */
const STEP_MINUTES = 35

const reports = mkdtempSync(join(tmpdir(), 'altocert-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const failedChecks = process.env['CI'] === 'true' ? await runChecks() : []
const catalogue = await checkCatalogue()
const unit = await runVitest()
const browser = (await hasChromium()) ? await runPlaywright() : { passed: 0, failed: 1, flaky: 0 }

const passed = catalogue.passed + unit.passed + browser.passed
const failed = catalogue.failed + unit.failed + browser.failed
if (failedChecks.length > 0) console.log(`\nChecks that found something: ${failedChecks.join(', ')}`)
if (browser.flaky)
  console.log(`\n${browser.flaky} browser tests are FLAKY: they passed only at the second try (see above).`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 || failedChecks.length > 0 ? 1 : 0

/** The parts of `npm run check` that are no tests. All of them run, so that one red does not hide another. */
async function runChecks(): Promise<string[]> {
  const checks = ['format', 'types', 'lint', 'directions', 'features', 'map -- --check', 'env -- --check']
  const failed: string[] = []
  for (const check of checks) {
    console.log(`\n> npm run ${check}`)
    if ((await run('npm', ['run', '--silent', ...check.split(' ')])) !== 0) failed.push(check)
  }
  return failed
}

/** The demo catalogue must have no finding; its report of counts is printed with it. */
async function checkCatalogue(): Promise<Tally> {
  console.log('\n> npm run altocert -- check content')
  const isGood = (await run('npm', ['run', '--silent', 'altocert', '--', 'check', 'content'])) === 0
  return isGood ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function runVitest(): Promise<Tally> {
  const report = join(reports, 'vitest.json')
  const code = await run('npx', [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const { numPassedTests = 0, numFailedTests = 0 } = readReport<{ numPassedTests: number; numFailedTests: number }>(
    report,
  )
  return tally(code, numPassedTests, numFailedTests)
}

/**
 * What passes only at the second try is listed as flaky: a bug to be found, but no reason to hold back all else, for a
 * shared machine may stand still for seconds.
 */
async function runPlaywright(): Promise<Tally> {
  const report = join(reports, 'playwright.json')
  const code = await run('npx', ['playwright', 'test', '--retries=1', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const { stats } = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(report)
  const flaky = stats?.flaky ?? 0
  return { ...tally(code, (stats?.expected ?? 0) + flaky, stats?.unexpected ?? 0), flaky }
}

/** A runner that fails without a failed test (a file that cannot be loaded, a server that does not start) counts as one. */
function tally(code: number, passedTests: number, failedTests: number): Tally {
  return { passed: passedTests, failed: code === 0 ? failedTests : Math.max(1, failedTests) }
}

function readReport<Report>(path: string): Partial<Report> {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : {}
}

/** Installs a Chromium where there is none, and says so. */
async function hasChromium(): Promise<boolean> {
  if (findChromium() !== null) return true
  const isRoot = process.getuid?.() === 0
  const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (isRoot && isDebian) {
    console.log('\nNo Chromium was found: installing it with apt-get.')
    if ((await run('apt-get', ['update', '-q'])) === 0)
      await run('apt-get', ['install', '-y', '-q', 'chromium'], {
        DEBIAN_FRONTEND: 'noninteractive',
      })
  } else {
    console.log("\nNo Chromium was found: installing Playwright's own.")
    await run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'])
  }
  if (findChromium() !== null) return true
  console.error('No Chromium could be installed, so the browser tests did not run. Install one and try again.')
  return false
}

/** Runs a step to its end. One that hangs is ended with all it started, and counts as failed. */
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
      console.error(`\n${command} ${args.join(' ')} did not end within ${STEP_MINUTES} minutes and is ended.`)
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
