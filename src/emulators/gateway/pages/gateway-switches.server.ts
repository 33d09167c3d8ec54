import { z } from 'zod'
import type { Db } from '../../emulator-storage.server.ts'

const Milliseconds = z
  .union([z.number(), z.string().trim().regex(/^\d+$/, 'must be a whole number of milliseconds').transform(Number)])
  .pipe(z.number().int().min(0).max(600_000))

/** Controls the behavior of the emulators. Tests and users of the page share the same switches. */
export const Switches = z.strictObject({
  delivery: z.enum(['normal', 'twice', 'late', 'out-of-order', 'never']),
  lateMs: Milliseconds,
  api: z.enum(['normal', 'slow', 'down', 'unreachable']),
  slowMs: Milliseconds,
  bankDebit: z.enum(['settles', 'fails', 'waits']),
  settleMs: Milliseconds,
  mail: z.enum(['accepts', 'refuses']),
})
export type Switches = z.infer<typeof Switches>

export const SwitchChange = Switches.partial()
export type SwitchChange = z.infer<typeof SwitchChange>

const usualSwitches: Switches = {
  delivery: 'normal',
  lateMs: 3000,
  api: 'normal',
  slowMs: 3000,
  bankDebit: 'settles',
  settleMs: 5000,
  mail: 'accepts',
}

export async function readSwitches(db: Db): Promise<Switches> {
  const { rows } = await db.query<{ settings: unknown }>({
    name: 'switch-board',
    text: 'select settings from demo.switch_board where id = 1',
  })
  return toSwitches(rows[0]?.settings)
}

export function toSwitches(settings: unknown): Switches {
  return { ...usualSwitches, ...SwitchChange.parse(settings ?? {}) }
}

/** Changes switches; every process that shares the database reads them at its next request, delivery or email. */
export async function changeSwitches(db: Db, change: SwitchChange): Promise<Switches> {
  await db.query(
    `insert into demo.switch_board (id, settings) values (1, $1)
     on conflict (id) do update set settings = demo.switch_board.settings || excluded.settings`,
    [JSON.stringify(change)],
  )
  return readSwitches(db)
}
