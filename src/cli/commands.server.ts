import { backup } from './backup.server.ts'
import { check } from './check.server.ts'
import { endAccess, endAdmin, grant, listAccess, listAdmins, makeAdmin } from './users.server.ts'
import { restore } from './restore.server.ts'
import { exportVerb } from './export.server.ts'
import { importVerb } from './import.server.ts'
import type { Command } from './command.server.ts'

/** Every verb by its name, in the order in which help lists them. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ['check', check],
  ['grant', grant],
  ['end-access', endAccess],
  ['list-access', listAccess],
  ['make-admin', makeAdmin],
  ['end-admin', endAdmin],
  ['list-admins', listAdmins],
  ['backup', backup],
  ['restore', restore],
  ['import', importVerb],
  ['export', exportVerb],
])
