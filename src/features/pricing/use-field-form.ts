import { useState, type RefObject } from 'react'
import type { FieldProblem } from '../../lib/failure.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import { useFirstProblem } from '../../ui/use-first-problem.ts'
import { useMutation, type Mutation } from '../../ui/use-mutation.ts'

export type FieldForm<Values> = {
  readonly values: Values
  write(change: Partial<Values>): void
  clear(): void
  /** The problem of the first of these fields that has one. */
  problemOf(...fields: readonly string[]): string | undefined
  /** Shows problems that were found before anything is sent. */
  refuse(problems: readonly FieldProblem[]): void
  /** The message above the button; null when the fields show their own problems. */
  readonly failure: string | null
  submit(send: () => Promise<void>): void
  readonly button: Mutation<[]>['button']
}

/**
 * A form of several fields: their text, one submission at a time, and the server's problems under the fields that they name.
 * The first field with a problem gets the focus.
 */
export function useFieldForm<Values extends object>(
  form: RefObject<HTMLFormElement | null>,
  blank: Values,
  { hasField = () => true, onFailure }: { hasField?: (field: string) => boolean; onFailure?: () => void } = {},
): FieldForm<Values> {
  const [values, setValues] = useState(blank)
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  useFirstProblem(form, problems)
  const mutation = useMutation((send: () => Promise<void>) => send(), {
    onFailure(error) {
      setProblems(error instanceof CallFailed ? error.fields : [])
      onFailure?.()
    },
  })
  const isShown = mutation.failure !== null && !problems.some(({ field }) => hasField(field))
  return {
    values,
    write: (change) => setValues((now) => ({ ...now, ...change })),
    clear: () => setValues(blank),
    problemOf: (...fields) => problems.find(({ field }) => fields.includes(field))?.message,
    refuse(found) {
      setProblems(found)
      mutation.reset()
    },
    failure: isShown ? messageOf(mutation.failure) : null,
    submit(send) {
      setProblems([])
      mutation.run(send)
    },
    button: mutation.button,
  }
}
