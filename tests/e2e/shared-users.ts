import { randomBytes } from 'node:crypto'

export type BrowserUser = { readonly name: string; readonly email: string; readonly password: string }

/** Exists before the first test: the server is started with it. */
export const admin: BrowserUser = { name: 'Admin', email: 'ada@example.com', password: 'Correct-Horse-7!' }

/** Somebody whom nobody has seen before. */
export function aNewcomer(name = 'Nora Newcomer'): BrowserUser {
  return { name, email: `nora-${randomBytes(5).toString('hex')}@example.com`, password: 'Correct-Horse-7!' }
}
