-- What learners report about questions, for admins to work through.

create table question_reports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- Where it was seen: the attempt keeps the version and the order.
  attempt_id uuid not null references attempts (id) on delete cascade,
  exam_id uuid not null references test_questions (id),
  family_id uuid not null,
  question_id text not null,
  reason text not null,
  words text not null default '',
  reported_at timestamptz not null,
  -- All of these, or none.
  outcome text,
  note text,
  settled_at timestamptz,
  settled_by uuid references users (id) on delete set null,
  check ((settled_at is null) = (outcome is null) and (settled_at is null) = (note is null))
);
-- A question stays the same through the versions of its exam.
create unique index question_reports_one_open on question_reports (user_id, family_id, question_id) where settled_at is null;
create index question_reports_open on question_reports (reported_at, id) where settled_at is null;
create index question_reports_settled on question_reports (settled_at desc, id) where settled_at is not null;
create index question_reports_attempt on question_reports (attempt_id);
