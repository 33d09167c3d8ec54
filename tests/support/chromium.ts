import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** A Chromium that starts: the system's, else the one that Playwright keeps for itself. Null when there is none. */
export function findChromium(): string | null {
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(starts)
  if (system !== undefined) return system
  const own = chromium.executablePath()
  return starts(own) ? own : null
}

/** Ubuntu's chromium-browser is only a hint to install a snap, so being there is not enough. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore' }).status === 0
}

/** Root needs no-sandbox; the others keep the browser from calling anybody but our server. */
export const chromiumArguments = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]
