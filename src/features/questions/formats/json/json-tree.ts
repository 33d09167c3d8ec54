/** A JSON text with the line of each object in it, so that a problem with an object names its line. */
interface JsonTree {
  value: unknown
  /** The line on which an object or list begins. */
  lineOf(value: unknown): number
  /** Where the text is not JSON. `value` holds everything that was read before, and later members of a broken list. */
  problems: JsonProblem[]
  /** Objects of which a part could not be read. */
  broken: ReadonlySet<unknown>
}

interface JsonProblem {
  line: number
  message: string
}

/** People write nothing that is nested deeper, and the stack is limited. */
const MAX_DEPTH = 60
/** A text with more mistakes is not JSON, and reading on would only find more of them. */
const MOST_PROBLEMS = 100

export function readJson(text: string): JsonTree {
  const reader = new Reader(text)
  const value = reader.read()
  return {
    value,
    lineOf: (part) => (typeof part === 'object' && part !== null ? (reader.lines.get(part) ?? 1) : 1),
    problems: reader.problems,
    broken: reader.broken,
  }
}

/** Thrown where the text is not JSON; on its way up it collects the values that were read. */
class Broken extends Error {
  partial: unknown = undefined
}

class Reader {
  readonly lines = new Map<object, number>()
  readonly problems: JsonProblem[] = []
  readonly broken = new Set<unknown>()
  private at = 0
  private line = 1
  private countedTo = 0
  /** The first line feed at or after `countedTo`, remembered because a whole bank may be on one line. */
  private nextFeed: number
  private isRepairing = false

  constructor(private readonly text: string) {
    this.nextFeed = this.feedFrom(0)
  }

  read(): unknown {
    try {
      const value = this.value(0, 'questions')
      if (this.next() !== '') this.note('there is more after its end')
      return value
    } catch (problem) {
      return partOf(problem)
    }
  }

  private value(depth: number, name: string): unknown {
    const sign = this.next()
    if (sign === '{' || sign === '[') {
      if (depth > MAX_DEPTH) this.fail(`it is nested deeper than ${MAX_DEPTH} levels`)
      return sign === '{' ? this.object(depth) : this.list(depth, name)
    }
    if (sign === '"') return this.string()
    PLAIN.lastIndex = this.at
    const plain = PLAIN.exec(this.text)?.[0]
    if (plain === undefined) return this.fail(sign === '' ? 'it breaks off' : `"${sign}" is not expected`)
    this.at += plain.length
    return JSON.parse(plain)
  }

  private object(depth: number): unknown {
    const result: Record<string, unknown> = {}
    let name = ''
    let count = 0
    this.begin(result)
    try {
      while (this.next() !== '}') {
        if (count > 0) this.expect(',')
        // A comma after the last member is not JSON, but its meaning is clear.
        if (this.next() === '}') break
        if (this.next() !== '"') this.fail('a name in quotes is expected')
        name = this.string()
        this.expect(':')
        put(result, name, this.value(depth + 1, name))
        count += 1
      }
      this.at += 1
      return result
    } catch (problem) {
      const part = partOf(problem)
      if (part !== undefined) put(result, name, part)
      this.broken.add(result)
      throw withPart(problem, result)
    }
  }

  /** After a broken question the list continues with the next object that begins like its first one. */
  private list(depth: number, name: string): unknown {
    const result: unknown[] = []
    this.begin(result)
    // Only the outermost list recovers; inner lists would all resume at the same object.
    const canCorrect = name === 'questions' && !this.isRepairing && this.next() === '{'
    const mark = canCorrect ? this.firstName(this.at) : null
    this.isRepairing ||= canCorrect
    let needsComma = false
    for (;;) {
      let from = this.at
      try {
        if (needsComma && this.next() === ',') this.at += 1
        else if (needsComma && this.next() !== ']') this.fail('a comma is missing')
        if (this.next() === ']') break
        from = this.at + 1
        result.push(this.value(depth + 1, ''))
        needsComma = true
      } catch (problem) {
        const part = partOf(problem)
        if (part !== undefined) result.push(part)
        const isHopeless = this.problems.length >= MOST_PROBLEMS
        if (isHopeless && mark !== null) this.note('there are too many mistakes; what comes behind was not read')
        const next = mark === null || isHopeless ? -1 : this.nextObject(mark, from)
        if (next === -1) throw withPart(problem, result)
        this.at = next
        needsComma = false
      }
    }
    this.at += 1
    if (canCorrect) this.isRepairing = false
    return result
  }

  private firstName(at: number): string | null {
    FIRST_NAME.lastIndex = at
    return FIRST_NAME.exec(this.text)?.[1] ?? null
  }

  private nextObject(mark: string, from: number): number {
    let at = this.text.indexOf(mark, from)
    while (at !== -1) {
      let before = at - 1
      while (before >= from && ' \n\t'.includes(this.text.charAt(before))) before -= 1
      // The broken object itself begins before `from`.
      if (before >= from && this.text.charAt(before) === '{') return before
      at = this.text.indexOf(mark, at + mark.length)
    }
    return -1
  }

  private string(): string {
    const start = this.at
    let end = start + 1
    for (;;) {
      end = this.text.indexOf('"', end)
      if (end === -1) return this.fail('a quote is not closed')
      let slashes = 0
      while (this.text.charAt(end - 1 - slashes) === '\\') slashes += 1
      end += 1
      if (slashes % 2 === 0) break
    }
    const written = this.text.slice(start, end)
    this.at = end
    try {
      const value: unknown = JSON.parse(written)
      return String(value)
    } catch {
      // Line feeds and tabs inside quotes are not JSON, but clear. Other mistakes are reported.
      const corrected = written.replaceAll('\n', '\\n').replaceAll('\t', '\\t')
      try {
        const value: unknown = JSON.parse(corrected)
        return String(value)
      } catch {
        this.at = start
        return this.fail('a text has a wrong escape')
      }
    }
  }

  private begin(value: object): void {
    this.lines.set(value, this.lineAt(this.at))
    this.at += 1
  }

  private next(): string {
    while (this.at < this.text.length && ' \n\t\r'.includes(this.text.charAt(this.at))) this.at += 1
    return this.text.charAt(this.at)
  }

  private expect(sign: string): void {
    if (this.next() !== sign) this.fail(`"${sign}" is missing`)
    this.at += 1
  }

  private fail(message: string): never {
    this.note(message)
    throw new Broken(message)
  }

  private note(message: string): void {
    this.problems.push({ line: this.lineAt(this.at), message })
  }

  /** Continues from the last counted position, so that a file is counted once; only a step back recounts a little. */
  private lineAt(at: number): number {
    if (at < this.countedTo) {
      const between = this.text.slice(at, this.countedTo)
      this.line -= between.split('\n').length - 1
      if (between.includes('\n')) this.nextFeed = at + between.indexOf('\n')
    } else {
      while (this.nextFeed < at) {
        this.line += 1
        this.nextFeed = this.feedFrom(this.nextFeed + 1)
      }
    }
    this.countedTo = at
    return this.line
  }

  private feedFrom(at: number): number {
    const feed = this.text.indexOf('\n', at)
    return feed === -1 ? Number.POSITIVE_INFINITY : feed
  }
}

function partOf(problem: unknown): unknown {
  if (problem instanceof Broken) return problem.partial
  throw problem
}

function withPart(problem: unknown, part: unknown): unknown {
  if (problem instanceof Broken) problem.partial = part
  return problem
}

/** A member named `__proto__` is an ordinary member. */
function put(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

const PLAIN = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const FIRST_NAME = /\{\s*("[^"\\\n]*")/y
