-- What admins did, and who looked at what is not theirs.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id uuid references users (id) on delete set null,
  action text not null,
  subject_table text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_subject on audit_log (subject_table, subject_id, id desc);

-- Small facts about this installation, such as whether the demo catalogue was laid out.
create table installation (
  key text primary key,
  value jsonb not null,
  at timestamptz not null default now()
);
