// Runs after the build: compresses every text file of the client, so that requests don't have to.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

for (const entry of readdirSync('build/client', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|svg|json|webmanifest|txt)$/.test(entry.name)) continue
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  if (bytes.length < 500) continue
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
