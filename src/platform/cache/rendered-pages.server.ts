import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import { compressPage, PageTemplate, type Filling, type PageBytes, type RenderedHtml } from './page-template.server.ts'

/** Of pages that are one user's own. */
const MAX_BYTES = 32 * 1024 * 1024
/** Pages that users share: home and its pages, each course, by role and by what is owned. */
const MAX_TEMPLATES = 100

/** A rendered page depends on these values alone: its address, and everything that its loaders returned. */
type PageValues = { readonly path: string; readonly data: unknown }

type Render = () => Promise<RenderedHtml>

/**
 * Pages of signed-in users, each kept under all the data it was rendered from. A page is used again only for equal data, so nothing
 * has to be dropped when something changes, and no page can show what its loaders did not return for this very request.
 */
export class RenderedPages {
  readonly #pages = new LRUCache<string, PageBytes>({ maxSize: MAX_BYTES, sizeCalculation: sizeOf })
  readonly #templates = new LRUCache<string, Promise<PageTemplate>>({ max: MAX_TEMPLATES })
  readonly counts = { hits: 0, misses: 0 }

  /** A page of one user. Without values it is not cached. */
  async own(values: PageValues | null, render: Render): Promise<PageBytes> {
    const key = values === null ? null : keyOf(values)
    const known = key === null ? undefined : this.#pages.get(key)
    this.#count(known !== undefined)
    if (known !== undefined) return known
    const page = await compressPage(await render())
    if (key !== null) this.#pages.set(key, page)
    return page
  }

  /** A page that is equal for several users except at the marks of `filling`. */
  async shared(values: PageValues | null, filling: Filling, render: Render): Promise<PageBytes> {
    const key = values === null ? null : keyOf(values)
    const known = key === null ? undefined : this.#templates.get(key)
    this.#count(known !== undefined)
    if (known !== undefined) return (await known).fillIn(filling)
    const made = render().then((page) => new PageTemplate(page, [...filling.keys()]))
    if (key !== null) {
      this.#templates.set(key, made)
      made.catch(() => this.#templates.delete(key))
    }
    return (await made).fillIn(filling)
  }

  #count(isHit: boolean): void {
    if (isHit) this.counts.hits += 1
    else this.counts.misses += 1
  }
}

const sizeOf = ({ gzip, policy }: PageBytes) => gzip.byteLength + policy.length

/** Different data gives different keys. Null, and so no caching, for data that cannot be serialized, such as promises. */
function keyOf({ path, data }: PageValues): string | null {
  try {
    return createHash('sha256').update(path).update('\n').update(serialize(data)).digest('base64')
  } catch {
    return null
  }
}
