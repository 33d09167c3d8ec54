import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isLoopbackHost } from '../../../platform/env.server.ts'
import { isPublicAddress } from '../../../platform/public-address.ts'
import { allowedLookup, NotPublic } from '../../../platform/public-lookup.server.ts'

const TIMEOUT_MS = 10_000

/** `isLocal`: this installation is for one machine, so that an emulator of a push service on it may be used. */
export type EndpointRules = { readonly isLocal: boolean }

/**
 * The address of a push service as a browser states it: a user can state any, so only https on the public internet will do. Null for
 * others. Names are checked when they are resolved.
 */
export function parseEndpoint(endpoint: string, { isLocal }: EndpointRules): URL | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return null
  const host = hostOf(url)
  if (isLocal && url.protocol === 'http:' && isLoopbackHost(host)) return url
  if (url.protocol !== 'https:' || url.port !== '' || isLoopbackHost(host)) return null
  return isIP(host) === 0 || isPublicAddress(host) ? url : null
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

type Post = { readonly headers: Record<string, string>; readonly body: Buffer }

/** Posts to a push service, follows no redirect, and resolves to the status. @throws NotPublic, or what the network throws */
export function postToService(endpoint: string, { headers, body }: Post, rules: EndpointRules): Promise<number> {
  const url = parseEndpoint(endpoint, rules)
  if (url === null) return Promise.reject(new NotPublic())
  const isEmulator = url.protocol === 'http:'
  const lookup = allowedLookup((address) => (isEmulator ? isLoopbackHost(address) : isPublicAddress(address)))
  const { request } = isEmulator ? http : https
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, signal: AbortSignal.timeout(TIMEOUT_MS), lookup } as const
    const sent = request(url, { ...options, headers: { ...headers, 'content-length': body.length } }, (reply) => {
      // Nothing but the status is of use, so nothing else is read.
      resolve(reply.statusCode ?? 0)
      sent.destroy()
    })
    sent.on('error', reject).end(body)
  })
}
