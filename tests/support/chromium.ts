import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The path of a Chromium that starts: the system's, else Playwright's. Null when there is none. */
export function findChromium(): string | null {
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(starts)
  if (system !== undefined) return system
  const own = chromium.executablePath()
  return starts(own) ? own : null
}

/** Runs the program, because Ubuntu's chromium-browser exists but only asks to install a snap. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore' }).status === 0
}

/** Root needs no-sandbox; the other arguments prevent requests to servers other than ours. */
export const chromiumArguments = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]
