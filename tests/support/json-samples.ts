/** Draws: a number from 0 to 1, one of a list, true with this probability. */
export type Draw = {
  readonly number: () => number
  readonly below: (count: number) => number
  readonly one: <T>(list: readonly T[]) => T
  readonly happens: (probability: number) => boolean
}

export function drawOf(number: () => number): Draw {
  const below = (count: number) => Math.floor(number() * count)
  return {
    number,
    below,
    one: (list) => {
      const chosen = list[below(list.length)]
      if (chosen === undefined && list.length === 0) throw new Error('nothing to draw from')
      return chosen as (typeof list)[number]
    },
    happens: (probability) => number() < probability,
  }
}

/** The parts of JSON Schema that our OpenAPI uses. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: string
  readonly pattern?: string
}

/** Values that break readers: odd text, numbers at the edges, other types, and names that JavaScript knows. */
const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '‮txt.exe',
  "'; drop table users; --",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '![x](javascript:alert(1))',
  '../../../../etc/passwd',
  '=cmd|calc!A1',
  'x\r\nset-cookie: a=b',
  'https://evil.example/',
  '%s%n%x',
  'x'.repeat(5000),
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '00000000-0000-0000-0000-000000000000',
  -1,
  0,
  -0,
  1.5,
  1e21,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  '1e400',
  null,
  true,
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: { isAdmin: true }, constructor: { prototype: {} } },
  { length: 1e9 },
  JSON.parse('{"__proto__":{"role":"admin"}}'),
]

export type Sampler = {
  readonly draw: Draw
  /** A known value for a field of this name, or undefined. */
  readonly known: (field: string) => unknown
  /** How often a value is replaced by a hostile one, or a field is left out or added. */
  readonly hostility: number
}

/** A value that mostly satisfies the schema. */
export function sampleOf(schema: JsonSchema, sampler: Sampler, field = '', depth = 0): unknown {
  const { draw, known, hostility } = sampler
  if (draw.happens(hostility)) return draw.one(HOSTILE)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return sampleOf(draw.one(variants), sampler, field, depth)
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, sampler, field, depth))) as unknown
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return draw.one(schema.enum)
  const type = Array.isArray(schema.type) ? draw.one(schema.type as readonly string[]) : schema.type
  if (type === 'object') return objectOf(schema, sampler, depth)
  if (type === 'array') return listOf(schema, sampler, field, depth)
  const ready = draw.happens(0.8) ? known(field) : undefined
  if (ready !== undefined) return ready
  if (type === 'string') return textOf(schema, draw)
  if (type === 'integer' || type === 'number') return numberOf(schema, draw, type === 'integer')
  if (type === 'boolean') return draw.happens(0.5)
  if (type === 'null') return null
  return draw.one(HOSTILE)
}

function objectOf(schema: JsonSchema, sampler: Sampler, depth: number): Record<string, unknown> {
  const { draw, hostility } = sampler
  const object: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) === true && !draw.happens(hostility)
    if (isNeeded || draw.happens(depth > 4 ? 0.1 : 0.6)) object[name] = sampleOf(part, sampler, name, depth + 1)
  }
  const more = schema.additionalProperties
  if (typeof more === 'object' && depth < 5)
    for (let count = draw.below(3); count > 0; count -= 1) {
      const name = sampler.known('*key')
      object[typeof name === 'string' ? name : `key-${count}`] = sampleOf(more, sampler, '', depth + 1)
    }
  if (draw.happens(hostility)) object[draw.one(['role', 'isAdmin', 'user_id', '__proto__x', 'constructor'])] = 'admin'
  return object
}

function listOf(schema: JsonSchema, sampler: Sampler, field: string, depth: number): unknown[] {
  const { draw } = sampler
  if (schema.prefixItems !== undefined)
    return schema.prefixItems.map((part) => sampleOf(part, sampler, field, depth + 1))
  const least = schema.minItems ?? 0
  const count = depth > 5 ? least : Math.min(schema.maxItems ?? 4, least + draw.below(3))
  // `questionIds` holds what `questionId` names.
  const one = field.replace(/ies$/, 'y').replace(/s$/, '')
  return Array.from({ length: count }, () => sampleOf(schema.items ?? {}, sampler, one, depth + 1))
}

const WORDS = ['cloud', 'storage', 'Which one?', 'Ünïcödé', 'exam', 'reason: none', '𝔊', 'A', '10', 'true']

function textOf({ format, minLength = 0, maxLength = 200, pattern }: JsonSchema, draw: Draw): string {
  if (format === 'uuid') return uuidOf(draw)
  if (format === 'date-time') return new Date(1.7e12 + draw.below(2e11)).toISOString()
  if (format === 'date') return new Date(1.7e12 + draw.below(2e11)).toISOString().slice(0, 10)
  if (format === 'email') return `nobody-${draw.below(1000)}@example.com`
  if (pattern !== undefined && draw.happens(0.5)) return String(draw.below(1_000_000))
  let text = draw.one(WORDS)
  while (text.length < minLength) text += ` ${draw.one(WORDS)}`
  return draw.happens(0.02) ? text.padEnd(maxLength, 'x').slice(0, Math.min(maxLength, 20_000)) : text
}

export function uuidOf(draw: Draw): string {
  const hex = Array.from({ length: 32 }, () => draw.below(16).toString(16))
  hex[12] = '4'
  hex[16] = '8'
  const text = hex.join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}

function numberOf(schema: JsonSchema, draw: Draw, isInteger: boolean): number {
  const least = schema.minimum ?? schema.exclusiveMinimum ?? 0
  const most = Math.min(schema.maximum ?? schema.exclusiveMaximum ?? least + 100, least + 1e6)
  const edge = draw.below(6)
  if (edge === 0) return least
  if (edge === 1) return schema.maximum ?? most
  const value = least + draw.number() * (most - least)
  return isInteger ? Math.floor(value) : value
}
