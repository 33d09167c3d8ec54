import { counted } from './text.ts'

/** The kind decides the title of a failure's toast. */
export const FAILURE_KINDS = ['authentication', 'authorization', 'validation', 'network', 'database', 'other'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

export type FieldProblem = { readonly field: string; readonly message: string }

type FailureSpec = { readonly status: number; readonly kind: FailureKind; readonly sentence: string }

/** An expected error: `message` is for the user, `status` and `code` are for the reply, `detail` is for the log only. */
export class Failure extends Error {
  readonly code: string
  readonly status: number
  readonly kind: FailureKind
  readonly fields: readonly FieldProblem[]
  readonly facts: Readonly<Record<string, unknown>>
  readonly detail: unknown

  constructor(code: string, spec: FailureSpec, more: FailureOptions = {}) {
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

type FailureOptions = {
  /** Replaces the table's sentence, for example when a placeholder such as '{n}' was filled. */
  readonly sentence?: string
  readonly fields?: readonly FieldProblem[]
  /** Data for the browser besides the sentence, such as the remaining attempts or a new quote. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly detail?: unknown
}

/** A feature's closed table of failures: unknown codes do not compile. */
export function failureTable<const T extends Record<string, FailureSpec>>(table: T) {
  return (code: keyof T & string, more?: FailureOptions) => new Failure(code, table[code]!, more)
}

/** The JSON body of a failure. */
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

/**
 * Replaces '{name}' in a sentence by the value of that name; unknown names stay. '{n:question|questions}' becomes the count
 * with the form of the noun that agrees with it.
 */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(
    /\{(\w+)(?::([^|{}]+)\|([^|{}]+))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = values[name]
      if (value === undefined) return whole
      return one === undefined ? String(value) : counted(Number(value), one, many)
    },
  )
}
