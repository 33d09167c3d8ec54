import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aCourse, anExam, aQuestion } from '../../../../../tests/support/build-course.ts'
import { aDatabase } from '../../../../../tests/support/test-database.ts'
import { openDatabase } from '../../../../db/open.server.ts'
import { checkDueLinks } from './link-checks-commands.server.ts'
import { stateAfter, visitOf, type Visit } from './link-state.ts'
import { createLinkVisitor } from './link-visitor-gateway.server.ts'
import { isPublicAddress } from '../../../../platform/public-address.ts'

const fromHere = { userAgent: 'Test', isAllowed: (address: string) => address === '127.0.0.1' }

/** A server of this machine that notes the requests, and how many were open at once. */
async function aServer(answer: RequestListener) {
  const seen: string[] = []
  let [open, mostOpen] = [0, 0]
  const server = createServer((request, reply) => {
    seen.push(`${request.method} ${request.url}`)
    mostOpen = Math.max(mostOpen, ++open)
    reply.on('close', () => (open -= 1))
    answer(request, reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, mostOpen: () => mostOpen }
}

test('a link is opened with HEAD, and with GET where a server refuses HEAD', async () => {
  const { at, seen } = await aServer(({ method, url }, reply) => {
    const isRefused = method === 'HEAD' && url !== '/plain'
    if (isRefused && url === '/cut') reply.destroy()
    else reply.writeHead(url === '/none' ? 404 : url === '/busy' ? 503 : isRefused ? 405 : 200).end()
  })
  const visit = createLinkVisitor(fromHere)
  expect(await visit(`${at}/plain`)).toEqual({ kind: 'fine', detail: '200' })
  expect(await visit(`${at}/picky`)).toEqual({ kind: 'fine', detail: '200' })
  expect(await visit(`${at}/cut`)).toEqual({ kind: 'fine', detail: '200' })
  expect(await visit(`${at}/none`)).toEqual({ kind: 'gone', detail: '404' })
  expect(await visit(`${at}/busy`)).toEqual({ kind: 'unsure', detail: '503' })
  expect(seen.slice(0, 3)).toEqual(['HEAD /plain', 'HEAD /picky', 'GET /picky'])
})

test('a redirect to a private address is refused, and so is a name that resolves to one', async () => {
  const inside = await aServer((_, reply) => reply.end('secret'))
  const { port } = new URL(inside.at)
  const { at } = await aServer(({ url = '' }, reply) => reply.writeHead(302, { location: url.slice(1) }).end())
  // Only the first server is a public address here.
  const visit = createLinkVisitor({
    userAgent: 'Test',
    isAllowed: (address, asked) => address === '127.0.0.1' && String(asked) === new URL(at).port,
  })
  for (const target of [inside.at, `http://localhost:${port}/`, `http://2130706433:${port}/`, `http://[::1]:${port}/`])
    expect(await visit(`${at}/${target}`)).toEqual({ kind: 'unsure', detail: 'private' })
  expect(await visit(`${at}/ftp://127.0.0.1/`)).toEqual({ kind: 'unsure', detail: 'protocol' })
  const strict = createLinkVisitor({ userAgent: 'Test' })
  for (const link of [inside.at, 'http://localhost/', 'http://127.1/', 'http://0x7f000001/', 'http://169.254.169.254/'])
    expect(await strict(link)).toEqual({ kind: 'unsure', detail: 'private' })
  expect(inside.seen).toEqual([])
})

test('private, local and reserved addresses are not public, in any way in which they are written', () => {
  const refused =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.255.255 192.168.0.1 198.18.0.1 224.0.0.1 255.255.255.255 ' +
    ':: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::10.0.0.1 64:ff9b::a00:1 ' +
    '64:ff9b:1::1 2001:db8::1 2001::1 2002:7f00:1::1 ::127.0.0.1 nonsense'
  expect(refused.split(' ').filter(isPublicAddress)).toEqual([])
  const open = '1.1.1.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 ::ffff:1.1.1.1 64:ff9b::1.1.1.1'
  expect(open.split(' ').filter((address) => !isPublicAddress(address))).toEqual([])
})

test('a loop of redirects, a host that never answers and a body without an end are given up', async () => {
  const { at, seen } = await aServer(({ url, method }, reply) => {
    if (url === '/loop') reply.writeHead(301, { location: '/loop' }).end()
    else if (url === '/endless' && method === 'GET') {
      reply.writeHead(500)
      const write = () => void (reply.destroyed || reply.write('x'.repeat(16_384), write))
      write()
    } else if (url === '/endless') reply.writeHead(405).end()
  })
  expect(await createLinkVisitor(fromHere)(`${at}/loop`)).toEqual({ kind: 'unsure', detail: 'redirects' })
  expect(seen).toHaveLength(6)
  expect(await createLinkVisitor(fromHere)(`${at}/endless`)).toEqual({ kind: 'unsure', detail: '500' })
  const hasty = createLinkVisitor({ ...fromHere, timeoutMs: 50 })
  expect(await hasty(`${at}/silent`)).toEqual({ kind: 'unsure', detail: 'timeout' })
  expect(await hasty('http://no-such-host.invalid/')).toMatchObject({ kind: expect.stringMatching(/gone|unsure/) })
})

test('a host has one request at a time', async () => {
  const { at, mostOpen } = await aServer((_, reply) => setImmediate(() => reply.end()))
  const visit = createLinkVisitor(fromHere)
  const visits = await Promise.all(['/a', '/b', '/c', '/d'].map((path) => visit(at + path)))
  expect(visits.map(({ kind }) => kind)).toEqual(['fine', 'fine', 'fine', 'fine'])
  expect(mostOpen()).toBe(1)
})

test('a link is dead only if it was gone twice, at least a day apart', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours))
  const first = stateAfter(null, visitOf(404), at(0))
  expect(first).toMatchObject({ state: 'unsure', goneSince: at(0) })
  expect(stateAfter(first.goneSince, visitOf(410), at(23)).state).toBe('unsure')
  expect(stateAfter(first.goneSince, visitOf(404), at(24)).state).toBe('dead')
  expect(stateAfter(first.goneSince, visitOf(503), at(48))).toEqual({
    state: 'unsure',
    detail: '503',
    goneSince: at(0),
  })
  expect(stateAfter(first.goneSince, visitOf(200), at(48))).toEqual({ state: 'fine', detail: '200', goneSince: null })
})

test('the links of questions, texts and courses on sale are opened once a week, and drafts’ are not', async () => {
  const { url } = await aDatabase()
  const { db, close } = openDatabase(url)
  onTestFinished(close)
  const link = (name: string) => `https://example.com/${name}`
  const ask = (name: string) => ({
    ...aQuestion(1),
    url: link(name),
    explanation: `See [it](${link(`${name}-more`)}), and <${link(`${name}-last`)}>.`,
  })
  const [sold, drafted] = [await aCourse(db), await aCourse(db)]
  await anExam(db, sold.id, { questions: [ask('sold')] })
  await anExam(db, drafted.id, { questions: [ask('draft')] })
  await db.updateTable('courses').set({ status: 'draft' }).where('id', '=', drafted.id).execute()
  const visits: string[] = []
  const visit = (asked: string): Promise<Visit> => {
    visits.push(asked)
    return Promise.resolve(visitOf(asked.endsWith('more') ? 404 : 200))
  }
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  const all = [link('sold'), link('sold-last'), link('sold-more')]
  expect((await checkDueLinks(db, visit, day(1))).toSorted()).toEqual(all)
  expect(await checkDueLinks(db, visit, day(1))).toEqual([])
  expect(await checkDueLinks(db, visit, day(2))).toEqual([link('sold-more')])
  expect(await checkDueLinks(db, visit, day(3))).toEqual([])
  const dead = await db.selectFrom('link_checks').where('state', '=', 'dead').select(['url', 'detail']).execute()
  expect(dead).toEqual([{ url: link('sold-more'), detail: '404' }])
  expect(await checkDueLinks(db, visit, day(8))).toEqual([link('sold'), link('sold-last')])
})
