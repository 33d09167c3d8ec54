import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/**
 * The path of a Chromium that starts: the system's, else Playwright's. Null when there is none. The headless shell is the same
 * engine without a window's frame, and a test in it takes two thirds of the time; it does not keep what tabs store when it is
 * started on a folder of its own, so a test that restarts its browser asks for the whole one.
 */
export function findChromium(kind: 'quick' | 'whole' = 'quick'): string | null {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  if (kind === 'quick') names.unshift('chromium-headless-shell')
  const system = names.map((name) => `/usr/bin/${name}`).find(starts)
  if (system !== undefined) return system
  const own = chromium.executablePath()
  return starts(own) ? own : null
}

/** Runs the program, because Ubuntu's chromium-browser exists but only asks to install a snap. */
function starts(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version', '--no-sandbox'], { stdio: 'ignore' }).status === 0
}

/** Root needs no-sandbox; drawing without a graphics card is quicker without its emulation; the others prevent foreign requests. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]
