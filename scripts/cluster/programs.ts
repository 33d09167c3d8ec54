import { existsSync } from 'node:fs'

/** What the reference cluster consists of: where Debian puts each program, and the package that brings it. */
const programs = {
  etcd: { paths: ['/usr/bin/etcd', '/usr/local/bin/etcd'], package: 'etcd-server' },
  patroni: { paths: ['/usr/bin/patroni', '/usr/local/bin/patroni'], package: 'patroni' },
  postgres: { paths: ['/usr/lib/postgresql/15/bin/postgres'], package: 'postgresql-15' },
  haproxy: { paths: ['/usr/sbin/haproxy'], package: 'haproxy' },
  pgbouncer: { paths: ['/usr/sbin/pgbouncer'], package: 'pgbouncer' },
  nginx: { paths: ['/usr/sbin/nginx'], package: 'nginx' },
} as const

/** What only a point in time needs. */
const archivePrograms = { pgbackrest: { paths: ['/usr/bin/pgbackrest'], package: 'pgbackrest' } } as const

export type Programs = Readonly<Record<keyof typeof programs, string> & { pgbackrest?: string }>

/** The programs of the cluster, or the packages that are missing. */
export function findPrograms({
  isArchived = false,
  exists = existsSync,
}: { isArchived?: boolean; exists?: (path: string) => boolean } = {}):
  { readonly found: Programs } | { readonly missing: readonly string[] } {
  const all = Object.entries({ ...programs, ...(isArchived ? archivePrograms : {}) }).map(
    ([name, { paths, package: from }]) => ({
      name,
      path: paths.find((path) => exists(path)),
      from,
    }),
  )
  const missing = all.filter(({ path }) => path === undefined).map(({ from }) => from)
  if (missing.length > 0) return { missing }
  return { found: Object.fromEntries(all.map(({ name, path }) => [name, path])) as Programs }
}
