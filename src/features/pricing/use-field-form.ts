import { useState, type ComponentProps, type RefObject } from 'react'
import type { FieldProblem } from '../../lib/failure.ts'
import { CallFailed, messageOf } from '../../platform/api-client.ts'
import type { Field } from '../../ui/field.tsx'
import { useFirstProblem } from '../../ui/use-first-problem.ts'
import { useMutation, type Mutation } from '../../ui/use-mutation.ts'

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string
type BoundInput = Pick<ComponentProps<typeof Field>, 'name' | 'value' | 'problem' | 'onChange'>

export type FieldForm<Values> = {
  readonly values: Values
  write(change: Partial<Values>): void
  /** The props of the input for a text. A problem is found by the name of the text, unless others are given. */
  bind(name: TextName<Values>, ...problems: readonly string[]): BoundInput
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
  const problemOf: FieldForm<Values>['problemOf'] = (...fields) =>
    problems.find(({ field }) => fields.includes(field))?.message
  return {
    values,
    write: (change) => setValues((now) => ({ ...now, ...change })),
    bind: (name, ...fields) => ({
      name,
      value: String(values[name]),
      problem: problemOf(...(fields.length === 0 ? [name] : fields)),
      onChange: (event) => setValues((now) => ({ ...now, [name]: event.target.value })),
    }),
    clear: () => setValues(blank),
    problemOf,
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
