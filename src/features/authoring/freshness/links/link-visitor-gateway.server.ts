import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../../platform/public-address.ts'
import { allowedLookup, NotPublic } from '../../../../platform/public-lookup.server.ts'
import { visitOf, type Visit } from './link-state.ts'

/** The rules of a visit. Tests pass others, to visit a server of this machine. */
export type VisitRules = {
  readonly userAgent: string
  readonly isAllowed?: (address: string, port: number) => boolean
  readonly timeoutMs?: number
}

export type LinkVisitor = (link: string) => Promise<Visit>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
const MAX_REDIRECTS = 5

/** The answers to HEAD for which the page itself is asked: some servers refuse HEAD, or answer it wrongly. */
const isDecided = (status: number) => status < 400

/** Opens links, one request at a time for each host. Every address is checked where the connection is made, after its name was resolved. */
export function createLinkVisitor(rules: VisitRules): LinkVisitor {
  const isAllowed = rules.isAllowed ?? ((address, port) => isPublicAddress(address) && (port === 80 || port === 443))
  const inTurn = turnsByHost()

  const request = (method: 'HEAD' | 'GET', url: URL): Promise<Answer> => {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const options = { method, agent: false, signal: AbortSignal.timeout(rules.timeoutMs ?? TIMEOUT_MS) } as const
    const headers = { 'user-agent': rules.userAgent, accept: 'text/html, */*;q=0.1' }
    // A literal address is connected to without a lookup.
    if (isIP(host) !== 0 && !isAllowed(host, port)) return Promise.reject(new NotPublic())
    const lookup = allowedLookup((address) => isAllowed(address, port))
    const { request: open } = url.protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const sent = open(url, { ...options, headers, lookup }, (reply) => {
        const answer = { status: reply.statusCode ?? 0, location: reply.headers.location ?? null }
        const settle = () => {
          sent.destroy()
          resolve(answer)
        }
        let bytes = 0
        reply.on('data', (part: Buffer) => ((bytes += part.length) >= MAX_BYTES ? settle() : undefined))
        reply.on('end', settle).on('error', reject)
        // A page that is there need not be read, and a redirect has nothing to read.
        if (answer.status < 400) settle()
      })
      sent.on('error', reject).end()
    })
  }

  const visit = async (url: URL, redirects: number): Promise<Visit> => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'unsure', detail: 'protocol' }
    const answer = await inTurn(url.host, async () => {
      const head = await request('HEAD', url).catch(orThrow)
      return head !== null && isDecided(head.status) ? head : request('GET', url)
    })
    if (answer.status < 300 || answer.status >= 400 || answer.location === null) return visitOf(answer.status)
    if (redirects === MAX_REDIRECTS) return { kind: 'unsure', detail: 'redirects' }
    return URL.canParse(answer.location, url)
      ? visit(new URL(answer.location, url), redirects + 1)
      : { kind: 'unsure', detail: 'redirect' }
  }

  return async (link) => {
    if (!URL.canParse(link)) return { kind: 'unsure', detail: 'address' }
    return visit(new URL(link), 0).catch(visitOfError)
  }
}

type Answer = { readonly status: number; readonly location: string | null }

/** A server may close the connection on HEAD and answer GET. What no GET would change is thrown on. */
function orThrow(error: unknown): null {
  if (error instanceof NotPublic || isUnknownHost(error)) throw error
  return null
}

function visitOfError(error: unknown): Visit {
  if (error instanceof NotPublic) return { kind: 'unsure', detail: 'private' }
  if (isUnknownHost(error)) return { kind: 'gone', detail: 'dns' }
  const { name, code } = error as { name?: string; code?: string }
  const isLate = name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR'
  return { kind: 'unsure', detail: isLate ? 'timeout' : (code ?? 'broken') }
}

const isUnknownHost = (error: unknown) => (error as { code?: string }).code === 'ENOTFOUND'

/** Runs tasks of one host one after the other, and those of different hosts side by side. */
function turnsByHost() {
  const last = new Map<string, Promise<unknown>>()
  return <Result>(host: string, task: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(host) ?? Promise.resolve()).then(task, task)
    const settled = turn.then(
      () => undefined,
      () => undefined,
    )
    last.set(host, settled)
    void settled.then(() => (last.get(host) === settled ? last.delete(host) : undefined))
    return turn
  }
}
