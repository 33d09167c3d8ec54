import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { aDatabase } from '../../tests/support/test-database.ts'
import { DatabaseTooNew, migrate } from './migrate.server.ts'

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
const { pool } = await aDatabase()
const old = await aDatabase()

test('each migration is stored with the version of Altocert that ran it', async () => {
  const { rows } = await pool.query("select version from migrations where name >= '0084' group by version")
  expect(rows).toEqual([{ version }])
})

test('a database that a newer version has migrated is refused with the migrations and the version that it needs', async () => {
  await pool.query("insert into migrations (name, checksum, version) values ('9001_later.sql', 'a', '9.1.0')")
  await expect(migrate(pool)).rejects.toThrow(
    `The database has 1 migration that this version (${version}) does not know: 9001_later. Use version 9.1.0, which wrote the last of them, or a newer one.`,
  )
  await pool.query("insert into migrations (name, checksum) values ('9002_last.sql', 'b')")
  const refusal = migrate(pool)
  await expect(refusal).rejects.toBeInstanceOf(DatabaseTooNew)
  await expect(refusal).rejects.toThrow(
    `The database has 2 migrations that this version (${version}) does not know: 9001_later to 9002_last. Use the version that wrote them or a newer one.`,
  )
})

test('a database from before versions were stored is migrated', async () => {
  await old.pool.query("delete from migrations where name like '0084%'; alter table migrations drop column version")
  expect(await migrate(old.pool)).toContain('0084_version_of_a_migration.sql')
})

test('a migration takes as long as it needs: the limit of other statements does not hold', async () => {
  await old.pool.query(`delete from migrations where name like '0084%'; alter table migrations drop column version;
    create table limits (of_statement text);
    create function note_limit() returns trigger language plpgsql as $$ begin
      insert into limits values (current_setting('statement_timeout')); return new; end $$;
    create trigger note_limit before insert on migrations for each row execute function note_limit()`)
  await migrate(old.pool)
  const { rows } = await old.pool.query('select * from limits')
  expect(rows).toEqual([{ of_statement: '0' }])
  const { rows: afterwards } = await old.pool.query('show statement_timeout')
  expect(afterwards).toEqual([{ statement_timeout: '30s' }])
})
