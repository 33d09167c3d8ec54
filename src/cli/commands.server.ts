import { backups } from './backups.server.ts'
import { backup } from './backup.server.ts'
import { check } from './check.server.ts'
import { endAccess, endAdmin, grant, listAccess, listAdmins, makeAdmin } from './users.server.ts'
import { resetSecondFactorCommand } from './reset-second-factor.server.ts'
import { restore } from './restore.server.ts'
import { exportCommand } from './export.server.ts'
import { importCommand } from './import.server.ts'
import { updateCatalogueCommand } from './update-catalogue.server.ts'
import type { Command } from './command.server.ts'

/** Every command by its name, in the order of the help text. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ['check', check],
  ['grant', grant],
  ['end-access', endAccess],
  ['list-access', listAccess],
  ['make-admin', makeAdmin],
  ['end-admin', endAdmin],
  ['list-admins', listAdmins],
  ['reset-second-factor', resetSecondFactorCommand],
  ['backup', backup],
  ['backups', backups],
  ['restore', restore],
  ['update-catalogue', updateCatalogueCommand],
  ['import', importCommand],
  ['export', exportCommand],
])
