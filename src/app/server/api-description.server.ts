import { z } from 'zod'
import { FAILURE_KINDS, type FailureReply } from '../../lib/failure.ts'
import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { REALTIME_PATH } from '../../platform/realtime/realtime.ts'
import { CatalogueChange } from '../../platform/realtime/realtime.schema.ts'
import type { ApiCall } from '../app.schema.ts'

type Json = Record<string, unknown>

/** The wire form of every failure, for the description and the tests. */
export const Failed = z.object({
  error: z.object({
    code: z.string(),
    kind: z.enum(FAILURE_KINDS),
    message: z.string(),
    fields: z
      .array(z.object({ field: z.string(), message: z.string() }).readonly())
      .readonly()
      .optional(),
    facts: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string().optional(),
  }),
}) satisfies z.ZodType<FailureReply>

/** The description of the API in OpenAPI 3.1, made from the very schemas that parse and check each call. */
export function describeApi(endpoints: readonly Endpoint[], site: { appUrl: string; brandName: string }): Json {
  const paths: Record<string, Json> = {}
  for (const one of endpoints) {
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: describeCall(one) }
  }
  paths[REALTIME_PATH] = { get: realtime }
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.brandName} API`,
      version: '1',
      description:
        'What the pages of this site use themselves. Writes need an Origin header of this site; whoever is signed in is known by the session cookie.',
    },
    servers: [{ url: site.appUrl }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Failure: toSchema(Failed, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'altocert_session' } },
    },
  }
}

/** Not an endpoint of the table: it never ends by itself. */
const realtime: Json = {
  operationId: 'getRealtime',
  tags: ['realtime'],
  summary:
    'Changes of the catalogue as server-sent events, numbered in the order of their commits. With Last-Event-ID what was missed comes first, or an event `gap` says that everything has to be read again.',
  parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }],
  responses: {
    '200': {
      description: 'Events whose data is a change',
      content: { 'text/event-stream': { schema: toSchema(CatalogueChange, 'output') } },
    },
    '503': { description: 'Too many listeners, or the server is stopping' },
  },
}

function describeCall(one: Endpoint): Json {
  const failure = (description: string) => ({ description, content: json({ $ref: '#/components/schemas/Failure' }) })
  return {
    operationId: operationId(one),
    tags: [tagOf(one)],
    summary: one.about,
    ...(one.who === 'anyone' ? {} : { security: [{ session: [] }] }),
    parameters: [...parametersOf(one.params, 'path'), ...parametersOf(one.query, 'query')],
    ...(one.body === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(one.body, 'input', one.bodyType) } }),
    responses: {
      '200': { description: 'Done', content: contentOf(one.reply, 'output', one.replyType) },
      ...(one.isTagged === true ? { '304': { description: 'Unchanged since the ETag that was sent' } } : {}),
      ...(one.who === 'anyone' ? {} : { '401': failure('Nobody is signed in') }),
      ...(one.who === 'admin' ? { '403': failure('For admins only') } : {}),
      default: failure('Did not work: a code, a sentence for people, and the fields that it is about'),
    },
  }
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: described,
  }))
}

function contentOf(schema: z.ZodType, io: 'input' | 'output', fileType: string | undefined): Json {
  return fileType === undefined ? json(toSchema(schema, io)) : { [fileType]: {} }
}

const json = (schema: Json) => ({ 'application/json': { schema } })

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'throw' })
  return described as Json
}

/** The noun behind /api/, or that a file's address begins with. */
export function tagOf({ path }: Pick<Endpoint, 'path'>): string {
  return wordsOf(path)[0] ?? ''
}

function wordsOf(path: string): string[] {
  return path
    .replace(/^\/api\//, '/')
    .split('/')
    .slice(1)
}

function operationId({ method, path }: Endpoint): string {
  const words = wordsOf(path).flatMap((part) => part.replace(':', 'by-').split(/[-_]/))
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The same, for people. */
export function listCalls(endpoints: readonly Endpoint[]): ApiCall[] {
  const text = (schema: z.ZodType, io: 'input' | 'output') => JSON.stringify(toSchema(schema, io), null, 2)
  return endpoints.map((one) => ({
    id: operationId(one),
    tag: tagOf(one),
    method: one.method,
    path: one.path.replaceAll(/:(\w+)/g, '{$1}'),
    who: one.who,
    about: one.about,
    isTagged: one.isTagged === true,
    parameters: [...parametersOf(one.params, 'path'), ...parametersOf(one.query, 'query')].map((parameter) => ({
      name: String(parameter['name']),
      place: String(parameter['in']),
      isRequired: parameter['required'] === true,
    })),
    body: one.body === undefined ? null : text(one.body, 'input'),
    reply: text(one.reply, 'output'),
  }))
}
