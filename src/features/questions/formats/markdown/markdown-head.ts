import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { fileFinding, type FileCode, type FileFinding, type Severity } from '../formats.schema.ts'

interface Shape<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: ParseError }
}
interface ParseError {
  issues: { path: PropertyKey[]; message: string }[]
}

/** Front matter. Every field is read by itself, so that a wrong field does not affect others. */
class Head {
  private readonly known = new Set<string>()
  constructor(
    private readonly fields: Map<string, { value: unknown; line: number }>,
    private readonly findings: Findings,
    private readonly isReadable: boolean,
  ) {}

  read<T>(
    name: string,
    shape: Shape<T>,
    {
      isOptional = false,
      from = (value: unknown) => value,
    }: { isOptional?: boolean; from?: (value: unknown) => unknown } = {},
  ): T | undefined {
    this.known.add(name)
    const field = this.fields.get(name)
    if (field === undefined) {
      if (!isOptional && this.isReadable) this.findings.add('field-missing', 1, name)
      return undefined
    }
    const parsed = shape.safeParse(from(field.value))
    if (parsed.success) return parsed.data
    this.findings.add('field-wrong', field.line, `${name}: ${messageOf(parsed.error)}`)
    return undefined
  }

  has(name: string): boolean {
    return this.fields.has(name)
  }

  refuseOthers(): void {
    for (const [name, { line }] of this.fields) {
      if (!this.known.has(name)) this.findings.add('field-unknown', line, name, 'warning')
    }
  }
}

/** @param bodyBegins a line that ends a head without its closing rule */
export function readHead(lines: string[], findings: Findings, bodyBegins: RegExp): { head: Head; body: number } {
  const nothing = new Map<string, { value: unknown; line: number }>()
  const isRule = (line: string | undefined) => line !== undefined && /^---[ \t]*$/.test(line)
  if (!isRule(lines[0])) {
    findings.add('head-missing', 1)
    return { head: new Head(nothing, findings, false), body: 0 }
  }
  const end = lines.findIndex((line, at) => at > 0 && isRule(line))
  if (end === -1) {
    findings.add('head-broken', 1, 'the closing line "---" is missing')
    const question = lines.findIndex((line) => bodyBegins.test(line))
    return { head: new Head(nothing, findings, false), body: question === -1 ? lines.length : question }
  }
  const fields = readFields(lines.slice(1, end).join('\n'), findings)
  return { head: new Head(fields ?? nothing, findings, fields !== null), body: end + 1 }
}

/** Null if the text is no map of names to values; then a finding says why. */
function readFields(yaml: string, findings: Findings): Map<string, { value: unknown; line: number }> | null {
  const counter = new LineCounter()
  const lineAt = (offset: number) => counter.linePos(offset).line + 1
  try {
    const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false })
    const [problem] = document.errors
    if (problem) {
      findings.add('head-broken', lineAt(problem.pos[0]), problem.message)
      return null
    }
    if (!isMap(document.contents)) {
      findings.add('head-broken', 2, 'it is not a list of "name: value"')
      return null
    }
    const values: unknown = document.toJS({ maxAliasCount: 20 })
    const named = new Map<string, unknown>(typeof values === 'object' && values !== null ? Object.entries(values) : [])
    return new Map(
      document.contents.items.flatMap(({ key }) => {
        if (!isScalar(key)) return []
        const name = String(key.value)
        return [[name, { value: named.get(name), line: lineAt(key.range?.[0] ?? 0) }] as const]
      }),
    )
  } catch (problem) {
    findings.add('head-broken', 2, problem instanceof Error ? problem.message : String(problem))
    return null
  }
}

/** What is wrong with a file, by line. */
export class Findings {
  private readonly list: FileFinding[] = []
  constructor(private readonly file: string) {}

  add(code: FileCode, line: number, about = '', severity: Severity = 'error'): void {
    this.list.push(fileFinding(code, { file: this.file, line, severity, about }))
  }

  inOrder(): FileFinding[] {
    return this.list.sort((a, b) => a.line - b.line)
  }
}

export function messageOf(error: ParseError): string {
  return error.issues
    .map(({ path, message }) => [path.map(String).join('.'), message].filter(Boolean).join(' '))
    .join('; ')
}

export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
}
