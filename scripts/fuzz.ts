// npm run fuzz: 100,000 requests of every role, generated from our OpenAPI document by a seed, and 10,000 histories of a payment
// on the database. npm run fuzz -- --seed 7 --count 5000 --histories 0 repeats a run, or makes a shorter one.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '100000' },
    histories: { type: 'string', default: '10000' },
  },
})
const { count, histories, seed = String(Math.floor(Math.random() * 1_000_000)) } = values
for (const number of [seed, count, histories])
  if (!/^\d+$/.test(number)) {
    console.error('usage: npm run fuzz -- [--seed <number>] [--count <number>] [--histories <number>]')
    process.exit(2)
  }
console.log(`${count} requests by seed ${seed}, ${histories} histories of a payment`)
const files = [
  'src/app/server/fuzz.server.test.ts',
  ...(histories === '0' ? [] : ['src/features/checkout/payment-history.server.test.ts']),
]
spawn('npx', ['vitest', 'run', ...files], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, FUZZ_COUNT: count, FUZZ_SEED: seed, FUZZ_SECONDS: '86400', HISTORIES: histories },
}).on('close', (code) => process.exit(code ?? 1))
