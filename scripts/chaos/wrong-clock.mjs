// Loaded into the server by node's --import: its clock is wrong by as many milliseconds as CHAOS_CLOCK_FILE says at the moment.
// The product has no hook for this, and libfaketime cannot change its mind while a program runs.
import { readFileSync } from 'node:fs'

const file = process.env.CHAOS_CLOCK_FILE
if (file !== undefined) {
  let wrongBy = 0
  const read = () => {
    try {
      wrongBy = Number(readFileSync(file, 'utf8')) || 0
    } catch {
      wrongBy = 0
    }
  }
  read()
  setInterval(read, 100).unref()

  const RightDate = Date
  const now = () => RightDate.now() + wrongBy
  globalThis.Date = new Proxy(RightDate, {
    apply: () => new RightDate(now()).toString(),
    construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
