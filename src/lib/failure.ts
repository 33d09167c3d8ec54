/** The kinds of section 8; a toast's title follows from it. */
export const FAILURE_KINDS = ['authentication', 'authorization', 'validation', 'network', 'database', 'other'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

export type FieldProblem = { readonly field: string; readonly message: string }

type FailureSpec = { readonly status: number; readonly kind: FailureKind; readonly sentence: string }

/** What a person is told (message), how it travels (status, code), and what only the log hears (detail). */
export class Failure extends Error {
  readonly code: string
  readonly status: number
  readonly kind: FailureKind
  readonly fields: readonly FieldProblem[]
  readonly facts: Readonly<Record<string, unknown>>
  readonly detail: unknown

  constructor(code: string, spec: FailureSpec, more: FailureMore = {}) {
    super(more.sentence ?? spec.sentence)
    this.name = 'Failure'
    this.code = code
    this.status = spec.status
    this.kind = spec.kind
    this.fields = more.fields ?? []
    this.facts = more.facts ?? {}
    this.detail = more.detail
  }
}

export type FailureMore = {
  /** Replaces the table's sentence where it holds a value, such as '{n}'. */
  readonly sentence?: string
  readonly fields?: readonly FieldProblem[]
  /** What the browser may use besides the sentence: remaining attempts, a new quote. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly detail?: unknown
}

/** A room's closed table of failures: a code that is not in it does not compile. */
export function failureTable<const T extends Record<string, FailureSpec>>(table: T) {
  return (code: keyof T & string, more?: FailureMore) => new Failure(code, table[code]!, more)
}

/** The wire form of a failure. */
export type FailureReply = {
  readonly error: {
    readonly code: string
    readonly kind: FailureKind
    readonly message: string
    readonly fields?: readonly FieldProblem[]
    readonly facts?: Readonly<Record<string, unknown>>
    readonly requestId?: string
  }
}

/** Fills '{name}' in a sentence of the copy sheet. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}
