export type FormValue = string | FormValue[] | { [key: string]: FormValue }

const MAX_DEPTH = 8
const MAX_FIELDS = 4000

/** Reads Stripe's bracketed form fields: `line_items[0][price_data][currency]=usd`, `expand[]=line_items`. */
export function readForm(fields: URLSearchParams): FormValue {
  const root = branch()
  let count = 0
  for (const [name, value] of fields) {
    count += 1
    if (count > MAX_FIELDS) break
    place(root, pathOf(name), value)
  }
  return tidy(root)
}

type Branch = Map<string, Branch | string>

function branch(): Branch {
  return new Map()
}

function pathOf(name: string): string[] {
  const [head = '', ...rest] = name.split('[')
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))].slice(0, MAX_DEPTH)
}

function place(root: Branch, path: string[], value: string): void {
  let here = root
  for (const part of path.slice(0, -1)) {
    const child = here.get(part)
    const next = child instanceof Map ? child : branch()
    here.set(part, next)
    here = next
  }
  const last = path.at(-1) ?? ''
  here.set(last === '' ? String(here.size) : last, value)
}

/** Maps become null-prototype objects, so that a field named `__proto__` is only a field. */
function tidy(node: Branch | string): FormValue {
  if (typeof node === 'string') return node
  const isList = node.size > 0 && [...node.keys()].every((key) => /^\d{1,4}$/.test(key))
  if (isList) return [...node.entries()].sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => tidy(child))
  const result: { [key: string]: FormValue } = Object.create(null)
  for (const [key, child] of node) result[key] = tidy(child)
  return result
}

/** The bracketed name of a field, as in the `param` of Stripe's errors. */
export function fieldName(path: readonly PropertyKey[]): string {
  const [head = '', ...rest] = path.map(String)
  return head + rest.map((part) => `[${part}]`).join('')
}
