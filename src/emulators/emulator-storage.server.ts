import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg'

/** A query that each connection plans once. */
type PreparedQuery = { name: string; text: string; values?: unknown[] }

/** A pool, or a client in a transaction. */
export type Db = {
  query<R extends QueryResultRow>(text: string | PreparedQuery, values?: unknown[]): Promise<QueryResult<R>>
}

/** An arbitrary advisory lock number, the same in every process that shares the database. */
const PREPARE_LOCK = 7_304_101

export const EMULATOR_TABLES = `
  create schema if not exists demo;

  create table if not exists demo.switch_board (
    id integer primary key check (id = 1),
    settings jsonb not null
  );

  create table if not exists demo.gateway_session (
    seq bigint generated always as identity unique,
    id text primary key,
    status text not null,
    payment_intent text unique,
    created_at bigint not null,
    expires_at bigint not null,
    settle_at timestamptz,
    settle_as text,
    payment jsonb not null
  );
  create index if not exists gateway_session_open on demo.gateway_session (expires_at) where status = 'open';
  create index if not exists gateway_session_settling on demo.gateway_session (settle_at) where settle_at is not null;
  create index if not exists gateway_session_payment on demo.gateway_session using gin (payment jsonb_path_ops);

  create table if not exists demo.gateway_event (
    seq bigint generated always as identity unique,
    id text primary key,
    session_id text not null,
    type text not null,
    body text not null,
    created_at bigint not null,
    state text not null check (state in ('pending', 'held', 'delivered', 'given-up')),
    copies integer not null,
    is_reversed boolean not null,
    attempts integer not null default 0,
    due_at timestamptz not null,
    leased_until timestamptz,
    last_answer text
  );
  create index if not exists gateway_event_waiting on demo.gateway_event (due_at) where state = 'pending';

  create table if not exists demo.gateway_idempotency (
    key text primary key,
    params text not null,
    reply text,
    created_at bigint not null
  );

  create table if not exists demo.outbox (
    id bigint generated always as identity primary key,
    recipients text not null,
    subject text not null,
    body_text text not null,
    body_html text not null,
    sent_at timestamptz not null
  );

  create table if not exists demo.google_key (
    id integer primary key check (id = 1),
    jwk jsonb not null
  );
  create table if not exists demo.google_account (
    sub text primary key,
    email text not null,
    is_email_verified boolean not null,
    name text not null
  );
  create table if not exists demo.google_record (
    kind text not null,
    id text not null,
    uid text,
    grant_id text,
    payload jsonb not null,
    expires_at timestamptz,
    primary key (kind, id)
  );
  create index if not exists google_record_uid on demo.google_record (uid);
  create index if not exists google_record_grant on demo.google_record (grant_id);
`

/** Creates the schema `demo` and its tables unless they exist. Safe to call from several processes at once. */
export async function prepareEmulators(pool: Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    // "if not exists" alone is not enough: two concurrent calls collide in the system catalogue.
    await tx.query('select pg_advisory_xact_lock($1)', [PREPARE_LOCK])
    await tx.query(EMULATOR_TABLES)
  })
}

/** Runs `work` in a transaction: commits when it returns, rolls back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}
