/** What changed in one field; undefined: it was not there. */
export type Change = { readonly field: string; readonly before: string | undefined; readonly after: string | undefined }

/** The fields of a line that differ between before and after, each by its path, in words that a person can read. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return (
    names
      .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
      // What is empty may as well not be there.
      .filter((change) => (change.before ?? '') !== (change.after ?? ''))
      .map(({ field, before, after }) => ({ field, before: before === '' ? undefined : before, after }))
  )
}

/** Every leaf by its path. A list of plain values is one value: 'a, b'. */
function fieldsOf(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(path === '' ? [] : [[path, '']])
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null))
    return new Map([[path, value.map(String).join(', ')]])
  if (typeof value !== 'object') return new Map([[path, wordOf(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [...fieldsOf(one, path === '' ? name : `${path}.${name}`)]),
  )
}

function wordOf(value: unknown): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return String(value)
}
