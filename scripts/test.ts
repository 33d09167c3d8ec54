// npm test: runs the checks, vitest and the browser tests; the last line has the totals.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../tests/support/chromium.ts'

type Tally = { readonly passed: number; readonly failed: number; readonly flaky?: number }

/** A step that takes longer is killed; even on a busy machine, none takes half as long. */
const STEP_MINUTES = 35

const reports = mkdtempSync(join(tmpdir(), 'altocert-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const failedChecks = await runChecks()
const catalogue = await checkCatalogue()
const unit = await runVitest()
const browser = (await hasChromium()) ? await runPlaywright() : { passed: 0, failed: 1, flaky: 0 }

const passed = catalogue.passed + unit.passed + browser.passed
const failed = catalogue.failed + unit.failed + browser.failed
if (failedChecks.length > 0) console.log(`\nFailed checks: ${failedChecks.join(', ')}`)
if (browser.flaky)
  console.log(`\n${browser.flaky} browser tests are FLAKY: they passed only on the second try (see above).`)
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

/** Tests that pass on the second try count as passed and are listed as flaky, because a shared machine may stall for seconds. */
async function runPlaywright(): Promise<Tally> {
  const report = join(reports, 'playwright.json')
  const code = await run('npx', ['playwright', 'test', '--retries=1', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const { stats } = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(report)
  const flaky = stats?.flaky ?? 0
  return { ...tally(code, (stats?.expected ?? 0) + flaky, stats?.unexpected ?? 0), flaky }
}

/** A runner that fails without a failed test (a file cannot be loaded, a server does not start) counts as one failure. */
function tally(code: number, passedTests: number, failedTests: number): Tally {
  return { passed: passedTests, failed: code === 0 ? failedTests : Math.max(1, failedTests) }
}

function readReport<Report>(path: string): Partial<Report> {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : {}
}

/** Installs Chromium when it is missing. Returns whether there is one. */
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
