import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './tests/support/chromium.ts'

const executablePath = findChromium()

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './tests/e2e/start-server.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  // Long for a busy machine. Nothing waits for its end except a test that fails.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    // Set by start-server.ts before the workers read this file again.
    baseURL: process.env['E2E_URL'],
    launchOptions: { args: chromiumArguments, ...(executablePath === null ? {} : { executablePath }) },
    // Colours that are still fading in would be measured as too pale.
    contextOptions: { reducedMotion: 'reduce' },
    // It would load the whole shop in every test; offline.spec.ts lets it.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    // A trace of every test would cost a fifth of the time.
    trace: 'on-first-retry',
  },
})
