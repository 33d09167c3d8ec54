import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'tests/unit/**/*.test.ts'],
    globalSetup: ['tests/support/database-server.ts'],
    setupFiles: ['tests/support/no-console-errors.ts'],
    // Without it the address of the style sheet is empty, and React warns of it.
    css: { include: [/tokens\.css\?url/] },
    // A limit for what hangs, not a measure: a busy machine may stall for many seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The second that Vitest gives what is polled passes on such a machine, too.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
