import { expect, test, vi } from 'vitest'
import { CallFailed } from '../../../platform/api-client.ts'
import { createSync } from './course-sync-client.ts'
import { Edit, type Outbox } from './course-sync.schema.ts'

const kept = Edit.parse({
  id: 'edit-1',
  by: 'ada',
  kind: 'exam.delete',
  rowId: '00000000-0000-4000-8000-000000000001',
  courseId: '00000000-0000-4000-8000-000000000002',
  title: 'An exam',
  at: 1,
  base: 1,
  isSent: false,
  syncProblem: null,
  saved: null,
})

test('an outbox that cannot be read at first is read again and sent without a reload', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  let isBlocked = true
  let disk: Outbox = [kept]
  let later = () => undefined as void
  const sent: string[] = []
  const sync = createSync({
    by: 'ada',
    read: () => (isBlocked ? Promise.reject(new Error('blocked')) : Promise.resolve(disk)),
    change: (make) => Promise.resolve((disk = make(disk))),
    send: (edit) => {
      sent.push(edit.id)
      return Promise.resolve({ version: null })
    },
    runExclusively: (run) => run(),
    wait: () => Promise.resolve(),
    schedule: (_ms, run) => {
      later = run
      return () => undefined
    },
    now: () => 2,
    newId: () => 'edit-2',
    notifyTabs: () => undefined,
    notify: () => undefined,
  })
  await sync.flushQuietly()
  expect(sent).toEqual([])
  expect(warned).toHaveBeenCalledOnce()
  warned.mockRestore()
  isBlocked = false
  later()
  await sync.flush()
  expect(sent).toEqual(['edit-1'])
})

test('a network that comes back during a failing attempt triggers another one', async () => {
  let disk: Outbox = [kept]
  let isOnline = false
  const planned: { ms: number; run: () => void }[] = []
  const sent: string[] = []
  let fail = (_error: unknown) => undefined as void
  const sync = createSync({
    by: 'ada',
    read: () => Promise.resolve(disk),
    change: (make) => Promise.resolve((disk = make(disk))),
    send: (edit) => {
      if (!isOnline) return new Promise((_resolve, reject) => (fail = reject))
      sent.push(edit.id)
      return Promise.resolve({ version: null })
    },
    runExclusively: (run) => run(),
    wait: () => Promise.resolve(),
    schedule: (ms, run) => {
      planned.push({ ms, run })
      return () => undefined
    },
    now: () => 2,
    newId: () => 'edit-2',
    notifyTabs: () => undefined,
    notify: () => undefined,
  })
  const first = sync.flushQuietly()
  await expect.poll(() => disk[0]?.isSent).toBe(true)
  isOnline = true
  const second = sync.flushQuietly()
  fail(new CallFailed(0, { code: 'OFFLINE', kind: 'network', message: 'No internet connection.' }))
  await Promise.all([first, second])
  const last = planned.at(-1)
  expect(last?.ms).toBe(0)
  last?.run()
  await expect.poll(() => sent).toEqual(['edit-1'])
})

test('a queued price change that needs a confirmation waits, says so, and is sent after the confirmation', async () => {
  let disk: Outbox = [kept]
  let isConfirmed = false
  const notices: string[] = []
  const sent: string[] = []
  const refusal = {
    code: 'confirmation.required',
    kind: 'authentication',
    message: 'Please confirm that it is you.',
  } as const
  const sync = createSync({
    by: 'ada',
    read: () => Promise.resolve(disk),
    change: (make) => Promise.resolve((disk = make(disk))),
    send: (edit) => {
      if (!isConfirmed) return Promise.reject(new CallFailed(403, refusal))
      sent.push(edit.id)
      return Promise.resolve({ version: null })
    },
    runExclusively: (run) => run(),
    wait: () => Promise.resolve(),
    schedule: () => () => undefined,
    now: () => 2,
    newId: () => 'edit-2',
    notifyTabs: () => undefined,
    notify: (notice) => void notices.push(notice.kind === 'stored' ? notice.why : notice.kind),
  })
  await sync.flush()
  expect(disk).toMatchObject([{ id: 'edit-1', saved: null, syncProblem: null }])
  expect(notices).toEqual(['unconfirmed'])
  isConfirmed = true
  await sync.flush()
  expect(sent).toEqual(['edit-1'])
})
