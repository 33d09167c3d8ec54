import { MIN_PASSPHRASE } from '../platform/backup-settings.server.ts'
import type { Env } from '../platform/env.server.ts'
import { type Output, WrongUsage } from './command.server.ts'

const NOWHERE = 'set ALTOCERT_BACKUP_PASSPHRASE, or run the command on a terminal, which asks for the passphrase.'

/** The passphrase of a sealed backup. @throws WrongUsage when there is nobody to ask */
export async function readPassphrase(env: Env, output: Output): Promise<string> {
  if (env.backupPassphrase !== undefined) return env.backupPassphrase
  if (output.askSecret === undefined) throw new WrongUsage(`the backup is sealed: ${NOWHERE}`)
  return output.askSecret('Passphrase of the backup: ')
}

/** A passphrase for a new backup; typed twice, because nobody could open the backup after a slip. @throws WrongUsage */
export async function choosePassphrase(env: Env, output: Output): Promise<string> {
  const passphrase = env.backupPassphrase ?? (await askTwice(output))
  if (passphrase.length < MIN_PASSPHRASE)
    throw new WrongUsage(`the passphrase needs ${MIN_PASSPHRASE} characters or more. Nothing was written.`)
  return passphrase
}

async function askTwice({ askSecret }: Output): Promise<string> {
  if (askSecret === undefined) throw new WrongUsage(`--seal needs a passphrase: ${NOWHERE}`)
  const passphrase = await askSecret('Passphrase for the backup: ')
  if ((await askSecret('The same passphrase again: ')) !== passphrase)
    throw new WrongUsage('the two passphrases differ. Nothing was written.')
  return passphrase
}
