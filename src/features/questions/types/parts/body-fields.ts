import type { FileFields } from '../type-editing.ts'

/** The object `body` of a file's question; empty if it is none. */
export function bodyOfFile(fields: FileFields): Readonly<Record<string, unknown>> {
  const { body } = fields
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
