import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { UNPRIVILEGED } from './child-process.ts'
import { writeDeployFile } from './deploy-file.ts'
import type { NodeName } from './database-nodes.ts'
import { ownFolder } from './own-folder.ts'

/** The lines of deploy/patroni.yml that are comments without pgBackRest. */
export const ARCHIVING = [
  ['# archive_mode', 'archive_mode'],
  ['# archive_command', 'archive_command'],
] as const

/** One repository of pgBackRest that all nodes write to, as an S3 bucket would be. */
export type Archive = {
  prepare(node: NodeName, postgres: { readonly dataDir: string; readonly port: number }): Promise<void>
  /** What Patroni, and so the archive_command, needs to find the node's file. */
  environment(node: NodeName): Record<string, string>
  /** Runs pgbackrest on a node. Returns what it said. @throws Error with what it said, when it fails */
  run(node: NodeName, args: readonly string[]): Promise<string>
}

export async function createArchive(folder: string, options: { program: string; password: string }): Promise<Archive> {
  const { program, password } = options
  const repository = join(folder, 'repository')
  await ownFolder(repository)
  const fileOf = (node: NodeName) => join(folder, node, 'pgbackrest.conf')
  const environment = (node: NodeName) => ({ PGBACKREST_CONFIG: fileOf(node) })
  return {
    environment,
    async prepare(node, { dataDir, port }) {
      await writeDeployFile('pgbackrest.conf', fileOf(node), [
        ['/var/lib/pgbackrest', repository],
        [
          'start-fast=y',
          `start-fast=y\nlog-level-file=off\nlock-path=${join(folder, node, 'pgbackrest-lock')}\nspool-path=${join(folder, node, 'pgbackrest-spool')}`,
        ],
        [
          'pg1-path=/var/lib/postgresql/15/altocert',
          `pg1-path=${dataDir}\npg1-port=${port}\npg1-socket-path=${join(folder, node)}\npg1-user=postgres`,
        ],
      ])
    },
    run(node, args) {
      const child = spawn(program, ['--stanza=altocert', '--log-level-console=info', ...args], {
        ...UNPRIVILEGED,
        cwd: join(folder, node),
        env: { PATH: process.env['PATH'], HOME: join(folder, node), PGPASSWORD: password, ...environment(node) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
      return new Promise((resolve, reject) => {
        child.once('error', reject)
        child.once('close', (code) =>
          code === 0 ? resolve(said) : reject(new Error(`pgbackrest ${args.join(' ')}: ${code}\n${said}`)),
        )
      })
    },
  }
}
