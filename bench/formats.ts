import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpack } from '../src/features/questions/formats/archive.ts'
import { readBank, recognise } from '../src/features/questions/formats/bank.ts'
import { IMPORT_FORMATS } from '../src/features/questions/formats/schema.ts'
import { bankFile } from './bank-files.ts'
import { limitRow, type Row } from './table.ts'

const QUESTIONS = 10_000
/** The bench of issue 7: reading and storing together. */
const MOST_SECONDS = 10
const MOST_MEMORY_MB = 500

/** Reads a bank of 10,000 questions in each format, each in a process of its own, whose memory is that of reading alone. */
export function benchFormats(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'bank-'))
  try {
    return IMPORT_FORMATS.flatMap((format) => {
      const { path, bytes } = bankFile(format, QUESTIONS)
      const file = join(folder, `${format}-${basename(path)}`)
      writeFileSync(file, bytes)
      const child = spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), file])
      const reply = /(\d+) questions in (\d+) ms with (\d+) MB as ([\w-]+)/.exec(child.stdout.toString())
      const [, questions, ms, memoryMb, read] = reply ?? []
      if (Number(questions) !== QUESTIONS || read !== format)
        throw new Error(`${format}: ${child.stdout.toString()}${child.stderr.toString()}`)
      const size = `${(bytes.length / 2 ** 20).toFixed(1)} MB`
      return [
        limitRow(`reading ${QUESTIONS} questions: ${format}, ${size}`, Number(ms) / 1000, MOST_SECONDS, 's', 2),
        limitRow(`  memory at its highest`, Number(memoryMb), MOST_MEMORY_MB, 'MB', 0),
      ]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readOne(path: string): void {
  const started = performance.now()
  // As the product does: unpacked once.
  const { files } = unpack([{ path: basename(path), bytes: new Uint8Array(readFileSync(path)) }])
  const format = recognise(files)?.format
  let count = 0
  for (const step of readBank(files)) if (step.kind === 'question' && step.question.verdict !== 'refused') count += 1
  const ms = Math.round(performance.now() - started)
  const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`${count} questions in ${ms} ms with ${memoryMb} MB as ${format}`)
}

const [, script, path] = process.argv
if (script === fileURLToPath(import.meta.url) && path !== undefined) readOne(path)
