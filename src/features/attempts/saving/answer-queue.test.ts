import { selecting } from '../../../../tests/support/answers.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNewer } from '../attempts.ts'
import type { AnswerState, SaveAnswer } from '../attempts.schema.ts'
import {
  answersOf,
  blank,
  everyAnswer,
  saveOutcome,
  LONGEST_WAIT_MS,
  openQueue,
  storedQueue,
  currentChanges,
  waitBeforeRetry,
  withChange,
  withReply,
  withTime,
  type Queue,
} from './answer-queue.ts'

/** The rule of the server's SQL statement. */
class Server {
  readonly rows = new Map<string, SaveAnswer>()
  put(questionId: string, write: SaveAnswer) {
    const stored = this.rows.get(questionId)
    if (stored === undefined || isNewer(write, stored)) this.rows.set(questionId, write)
    const { seq, writer } = this.rows.get(questionId)!
    return { seq, writer }
  }
  answers(): Record<string, AnswerState> {
    return Object.fromEntries(
      [...this.rows].map(([id, { writer: _writer, ...answer }]) => [id, { ...answer, isChecked: false }]),
    )
  }
}

const questions = ['q1', 'q2', 'q3']
const step = fc.oneof(
  fc.record({
    kind: fc.constant('click' as const),
    question: fc.constantFrom(...questions),
    answer: fc.constantFrom('a', 'b', 'c'),
  }),
  fc.record({
    kind: fc.constantFrom('send' as const, 'lose-request' as const, 'lose-reply' as const),
    question: fc.constantFrom(...questions),
  }),
  fc.record({ kind: fc.constantFrom('repeat' as const, 'reload' as const), pick: fc.nat() }),
)

test('whatever requests are reordered, repeated or lost, and after any reload, the last clicks are stored', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const server = new Server()
      const clicked = new Map<string, string>()
      const onTheWay: [string, SaveAnswer][] = []
      let queue: Queue = openQueue('tab', [], {})
      for (const one of steps) {
        if (one.kind === 'click') {
          clicked.set(one.question, one.answer)
          queue = withChange(queue, one.question, { ...blank, answer: selecting(one.answer) })
        } else if ('pick' in one && one.kind === 'repeat') {
          const late = onTheWay[one.pick % (onTheWay.length || 1)]
          if (late !== undefined) server.put(...late)
        } else if ('pick' in one) {
          // The queue is stored on the device; the page restarts from it and from the server.
          queue = openQueue('tab', [structuredClone(queue)], server.answers())
        } else {
          const write = queue.unsent[one.question]
          if (write === undefined) continue
          onTheWay.push([one.question, write])
          if (one.kind === 'lose-request') continue
          const stored = server.put(one.question, write)
          if (one.kind === 'send') queue = withReply(queue, one.question, write, stored)
        }
      }
      const shown = answersOf(queue, server.answers())
      for (const [id, answer] of clicked) expect(shown[id]?.answer).toEqual(selecting(answer))
      for (const [id, write] of Object.entries(everyAnswer(queue, shown))) server.put(id, write)
      for (const [id, answer] of clicked) expect(server.rows.get(id)?.answer).toEqual(selecting(answer))
      expect(server.rows.size).toBe(clicked.size)
    }),
  )
})

test('the last click on this page wins over an earlier write of another device', () => {
  const server = new Server()
  server.put('q1', { ...blank, answer: selecting('a'), seq: 9, writer: 'phone' })
  let queue = withChange(openQueue('laptop', [], {}), 'q1', { ...blank, answer: selecting('b') })
  const first = queue.unsent['q1']!
  queue = withReply(queue, 'q1', first, server.put('q1', first))
  const second = queue.unsent['q1']!
  expect(second.seq).toBe(10)
  queue = withReply(queue, 'q1', second, server.put('q1', second))
  expect([server.rows.get('q1')?.answer, queue.unsent]).toEqual([selecting('b'), {}])
})

test('a change made while the previous one is being sent stays in the queue', () => {
  let queue = withChange(openQueue('tab', [], {}), 'q1', { ...blank, answer: selecting('a') })
  const first = queue.unsent['q1']!
  queue = withChange(queue, 'q1', { ...blank, answer: selecting('b') })
  queue = withReply(queue, 'q1', first, first)
  expect(queue.unsent['q1']).toMatchObject({ answer: selecting('b'), seq: 2 })
})

test('unsent answers of a closed tab are sent, unless the server has newer ones or the question was checked', () => {
  const left: Queue = {
    writer: 'closed',
    seq: 7,
    activeMs: {},
    unsent: Object.fromEntries(
      questions.map((id, n) => [id, { ...blank, answer: selecting('x'), seq: 5 + n, writer: 'closed' }]),
    ),
  }
  const queue = openQueue('new', [left], { q1: { ...blank, seq: 6 }, q2: { ...blank, seq: 1, isChecked: true } })
  // Under this page's name, because the server accepts only one writer.
  expect(queue.unsent).toMatchObject({ q3: { answer: selecting('x'), seq: 8, writer: 'new' } })
  expect(Object.keys(queue.unsent)).toEqual(['q3'])
  expect(queue.seq).toBe(8)
})

test('a page that takes an exam back sends only answers that were not changed since', () => {
  const known = { q1: { ...blank, seq: 3 }, q2: { ...blank, seq: 4 } }
  let lost = openQueue('first', [], known)
  for (const id of ['q1', 'q2', 'q3', 'q4']) lost = withChange(lost, id, { ...blank, answer: selecting('mine') })
  // The other page answered the second question, and checked the third one without changing it.
  const stored = { ...known, q2: { ...blank, seq: 5 }, q3: { ...blank, isChecked: true } }
  const queue = openQueue('first', [currentChanges(lost, known, stored)], stored)
  expect(Object.keys(queue.unsent)).toEqual(['q1', 'q4'])
})

test('the wait between retries doubles up to half a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 99].map((failures) => waitBeforeRetry(failures, 0.5))).toEqual([
    1000,
    2000,
    4000,
    8000,
    16_000,
    LONGEST_WAIT_MS,
    LONGEST_WAIT_MS,
  ])
})

test('the time on a question is sent with its next save, and continues after a reload', () => {
  let queue = withTime(openQueue('tab', [], { q1: { ...blank, activeMs: 5000 } }), 'q1', 1500.4)
  queue = withChange(withTime(queue, 'q2', 700), 'q1', blank)
  expect(queue.unsent['q1']?.activeMs).toBe(6500)
  const reloaded = openQueue('tab', [structuredClone(queue)], { q1: { ...blank, activeMs: 5000 } })
  expect(withTime(reloaded, 'q2', 300).activeMs).toEqual({ q1: 6500.4, q2: 1000 })
})

test('only a reply of our server ends a write; replies of a proxy, a captive portal or a starting server are retried', () => {
  const outcome = (status: number, code = 'server.broken') => saveOutcome({ status, code })
  expect([0, 200, 401, 403, 404, 407, 408, 409, 421, 429, 500, 502, 503].map((status) => outcome(status))).toEqual(
    Array.from({ length: 13 }, () => 'wait'),
  )
  expect(outcome(403, 'request.foreign-origin')).toBe('wait')
  expect(outcome(429, 'request.too-many')).toBe('wait')
  expect(outcome(401, 'attempt.signed-out')).toBe('sign-in')
  expect(outcome(404, 'attempt.not-found')).toBe('foreign')
  expect(outcome(409, 'attempt.elsewhere')).toBe('elsewhere')
  expect(outcome(409, 'attempt.too-late')).toBe('late')
  expect(outcome(409, 'attempt.finished')).toBe('over')
  for (const code of ['attempt.unknown-answer', 'attempt.checked', 'attempt.from-the-future', 'request.invalid'])
    expect(outcome(400, code)).toBe('refused')
  expect(outcome(413)).toBe('refused')
})

test('a queue of an earlier build is read with typed answers, and any other record is ignored', () => {
  const { answer: _, ...rest } = { ...blank, seq: 4, writer: 'tab' }
  const queue = { writer: 'tab', seq: 5, activeMs: { q1: 10 } }
  const today = { ...rest, answer: selecting('c') }
  const former = { q1: { ...rest, selection: ['a', 'b'] }, q2: { ...rest, selection: [] }, q3: today }
  expect(storedQueue({ ...queue, unsent: former })).toEqual({
    ...queue,
    unsent: { q1: { ...rest, answer: selecting('a', 'b') }, q2: { ...rest, answer: null }, q3: today },
  })
  for (const record of [undefined, null, 'queue', {}, { ...queue, unsent: null }])
    expect(storedQueue(record)).toBeNull()
})
