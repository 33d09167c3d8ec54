-- The newest check of the whole bank, what it found, and what an admin has set aside.
create table bank_checks (
  id uuid primary key,
  asked_at timestamptz not null,
  finished_at timestamptz,
  failed_at timestamptz,
  question_count integer,
  -- The number of the newest change of the catalogue before it was read: a greater one is news.
  change_number bigint,
  asked_by uuid references users (id) on delete set null
);
-- One at a time.
create unique index bank_checks_running on bank_checks ((true)) where finished_at is null and failed_at is null;

create table bank_findings (
  id bigint generated always as identity primary key,
  check_id uuid not null references bank_checks (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  -- The exam, whatever its version.
  family_id uuid not null,
  -- Empty where it is about the whole exam.
  question_id text not null,
  code text not null,
  severity text not null,
  sentence text not null,
  -- Of the question and the sentence: what was set aside comes back when one of them changes.
  print text not null
);
create index bank_findings_list on bank_findings (check_id, severity, id);
create index bank_findings_course on bank_findings (course_id);

create table set_aside_findings (
  family_id uuid not null references test_questions (id) on delete cascade,
  question_id text not null,
  code text not null,
  print text not null,
  note text not null check (length(note) between 1 and 500),
  set_by uuid references users (id) on delete set null,
  set_at timestamptz not null,
  primary key (family_id, question_id, code, print)
);
