-- What reached the server when a timed attempt was over for good: kept beside it, shown as too late, never counted.

create table late_answers (
  attempt_id uuid not null references attempts (id) on delete cascade,
  question_id text not null,
  selection text[] not null,
  seq bigint not null,
  writer text not null,
  arrived_at timestamptz not null,
  primary key (attempt_id, question_id)
);
