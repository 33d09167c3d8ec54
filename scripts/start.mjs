// npm start: builds when the sources have changed, then runs the server in this process.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
process.env.NODE_ENV = 'production'
const stamp = 'build/stamp'

function fingerprint() {
  const hash = createHash('sha256')
  const add = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name))
    else if (!/\.test\.tsx?$/.test(path)) hash.update(path).update(readFileSync(path))
  }
  for (const path of ['src', 'public', 'scripts', 'package-lock.json', 'vite.config.ts', 'react-router.config.ts'])
    add(path)
  return hash.digest('hex')
}

const now = fingerprint()
if (!existsSync('build/server/index.js') || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== now) {
  console.log('Building …')
  const built = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (built.status !== 0) {
    process.stderr.write(`${built.stdout}\n${built.stderr}\nThe build failed.\n`)
    process.exit(1)
  }
  writeFileSync(stamp, now)
}
if (!process.argv.includes('--build-only')) await import(pathToFileURL(join(root, 'build/server/index.js')).href)
