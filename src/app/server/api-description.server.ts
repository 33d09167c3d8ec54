import { z } from 'zod'
import { FAILURE_KINDS, type FailureReply } from '../../lib/failure.ts'
import type { Endpoint } from '../../platform/http/endpoint.server.ts'
import { LINES_TYPE } from '../../platform/json-lines.ts'
import { describeLimit, type LimitNumbers } from '../../platform/limits/rate-limits.ts'
import { REALTIME_PATH } from '../../platform/realtime/realtime.ts'
import { CatalogueChange } from '../../platform/realtime/realtime.schema.ts'
import type { ApiCall } from '../app.schema.ts'

type Json = Record<string, unknown>

/** The body of every failed reply. */
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

/** The OpenAPI 3.1 document, generated from the schemas that validate each call. */
export function describeApi(
  endpoints: readonly Endpoint[],
  site: { appUrl: string; brandName: string; limits: LimitNumbers },
): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeCall(endpoint, site.limits) }
  }
  paths[REALTIME_PATH] = { get: describeRealtime(site.limits) }
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.brandName} API`,
      version: '1',
      description:
        'The API that the pages of this site use. Writes need an Origin header of this site; a session cookie identifies the user.',
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

/** Described by hand: an event stream is not an endpoint. */
const describeRealtime = (limits: LimitNumbers): Json => ({
  operationId: 'getRealtime',
  tags: ['realtime'],
  summary:
    'Catalogue changes as server-sent events, numbered in commit order. With Last-Event-ID, missed events come first, or a `gap` event if they are no longer known and everything has to be loaded again.',
  parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }],
  responses: {
    '200': {
      description: 'Events with a change as data',
      content: { 'text/event-stream': { schema: toSchema(CatalogueChange, 'output') } },
    },
    '429': {
      description: `At most ${limits.stream * limits.network} open streams per network address. A user has ${limits.stream}; another one ends the oldest.`,
      headers: retryAfter,
    },
    '503': { description: 'Too many listeners, or the server is stopping' },
  },
})

const retryAfter: Json = {
  'Retry-After': { description: 'Seconds until the call may succeed', schema: { type: 'integer' } },
}

function describeCall(endpoint: Endpoint, limits: LimitNumbers): Json {
  const failure = (description: string) => ({ description, content: json({ $ref: '#/components/schemas/Failure' }) })
  return {
    operationId: operationId(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.about,
    ...(endpoint.who === 'anyone' ? {} : { security: [{ session: [] }] }),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(endpoint.body, 'input', endpoint.bodyType) } }),
    responses: {
      '200': { description: 'Done', content: replyContentOf(endpoint) },
      ...(endpoint.isTagged === true ? { '304': { description: 'Not modified since the ETag sent' } } : {}),
      ...(endpoint.who === 'anyone' ? {} : { '401': failure('Not signed in') }),
      ...(endpoint.who === 'admin' ? { '403': failure('For admins only') } : {}),
      ...(endpoint.limit === undefined
        ? {}
        : { '429': { ...failure(describeLimit(endpoint.limit, limits)), headers: retryAfter } }),
      default: failure('A failure: its code, a message for users, and the fields concerned'),
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

/** A reply that also comes in parts has a second content type, of which each line is an object. */
function replyContentOf({ reply, replyType, inParts }: Endpoint): Json {
  const whole = contentOf(reply, 'output', replyType)
  return inParts === undefined ? whole : { ...whole, [LINES_TYPE]: { schema: { type: 'object' } } }
}

const json = (schema: Json) => ({ 'application/json': { schema } })

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'throw' })
  return described as Json
}

/** The first word of a path, after /api/. */
function tagOf({ path }: Pick<Endpoint, 'path'>): string {
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

/** Every call, for the page that documents the API. */
export function listCalls(endpoints: readonly Endpoint[], limits: LimitNumbers): ApiCall[] {
  const text = (schema: z.ZodType, io: 'input' | 'output') => JSON.stringify(toSchema(schema, io), null, 2)
  return endpoints.map((endpoint) => ({
    id: operationId(endpoint),
    tag: tagOf(endpoint),
    method: endpoint.method,
    path: endpoint.path.replaceAll(/:(\w+)/g, '{$1}'),
    who: endpoint.who,
    about: endpoint.about,
    isTagged: endpoint.isTagged === true,
    limit: endpoint.limit === undefined ? null : describeLimit(endpoint.limit, limits),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')].map(
      (parameter) => ({
        name: String(parameter['name']),
        place: String(parameter['in']),
        isRequired: parameter['required'] === true,
      }),
    ),
    body: endpoint.body === undefined ? null : text(endpoint.body, 'input'),
    reply: text(endpoint.reply, 'output'),
  }))
}
