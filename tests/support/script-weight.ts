import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

export type ScriptWeight = { readonly files: readonly string[]; readonly bytes: number }

/** The scripts that a page's HTML names, and what they import: all that is loaded before the page answers. Compressed by brotli. */
export async function scriptsOf(url: string): Promise<ScriptWeight> {
  const html = await (await fetch(url)).text()
  const files = [...new Set([...html.matchAll(/\/assets\/[^"\s]+\.js/g)].map(([path]) => path))]
  if (files.length === 0) throw new Error(`${url} names no script`)
  return weighScripts(url, files)
}

/** The compressed size of scripts on a server. */
export async function weighScripts(url: string, files: readonly string[]): Promise<ScriptWeight> {
  let bytes = 0
  for (const path of files) {
    const reply = await fetch(new URL(path, url), { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    bytes += Number(reply.headers.get('content-length'))
  }
  return { files, bytes }
}

/** Builds a page of the same framework that says hello (tests/fixtures/hello-page), and weighs its scripts. */
export function weighHelloPage(): ScriptWeight {
  const folder = mkdtempSync(join(tmpdir(), 'hello-page-'))
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      [resolve('node_modules/@react-router/dev/bin.js'), 'build'],
      {
        cwd: 'tests/fixtures/hello-page',
        env: { ...process.env, NODE_ENV: 'production', HELLO_BUILD: folder },
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(`the hello page could not be built: ${stderr}`)
    const assets = join(folder, 'client/assets')
    const files = readdirSync(assets).filter((name) => name.endsWith('.js'))
    const bytes = files.reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(assets, name))).byteLength, 0)
    return { files, bytes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
