import { pause, type Requests } from './requests.ts'

const GUESTS = 2
const PAUSE_MS = 500
/** What a page needs to work: its scripts and styles. */
const FILES = /(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g

export type Guests = {
  run(isOver: () => boolean): Promise<void>
  /** Pages that were not served, and pages whose files were not. */
  readonly faults: readonly string[]
  pages(): number
}

/** Visitors without an account who look at pages, with the files that these name. */
export function createGuests(paths: readonly string[], requests: Requests): Guests {
  const faults: string[] = []
  let pages = 0

  async function look(path: string) {
    const page = await requests.send('GET', path)
    pages += 1
    if (page?.status !== 200) return void faults.push(`${path}: ${page === null ? 'no reply' : page.status}`)
    const files = [...new Set([...page.text.matchAll(FILES)].map(([, file]) => file!))]
    for (const file of files) {
      const reply = await requests.send('GET', file)
      if (reply?.status !== 200) faults.push(`${path}: its file ${file}: ${reply === null ? 'no reply' : reply.status}`)
    }
  }

  return {
    faults,
    pages: () => pages,
    async run(isOver) {
      const visit = async (at: number) => {
        for (let number = at; !isOver(); number += 1) {
          await look(paths[number % paths.length]!)
          await pause(PAUSE_MS)
        }
      }
      await Promise.all(Array.from({ length: GUESTS }, (_, at) => visit(at)))
    },
  }
}
