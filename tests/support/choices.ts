/** A question, answer or form of a test that is known to be a choice, with the type to say so. */
export function asChoice<Value extends { readonly type: string }>(
  value: Value | null | undefined,
): Extract<Value, { readonly type: 'choice' }> {
  if (value?.type !== 'choice') throw new Error(`not a choice: ${JSON.stringify(value)}`)
  return value as Extract<Value, { readonly type: 'choice' }>
}
