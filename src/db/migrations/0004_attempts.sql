-- Attempts at exams. An attempt freezes what it was started with; its answers are one row a question.

create table attempts (
  id uuid primary key default gen_random_uuid(),
  exam_id uuid not null references test_questions (id),
  family_id uuid not null,
  course_id uuid not null references courses (id),
  user_id uuid references users (id) on delete cascade,
  guest_id uuid,
  mode text not null check (mode in ('practice', 'timed', 'preview')),
  state text not null default 'open' check (state in ('open', 'finished')),
  seed integer not null,
  -- [{ "question": id, "answers": [ids] }] in the order that is shown.
  layout jsonb not null,
  scoring_policy text not null,
  passing_score integer not null,
  time_limit_minutes integer,
  extra_time text not null default 'none',
  writer text,
  started_at timestamptz not null,
  deadline_at timestamptz,
  finished_at timestamptz,
  finished_by text check (finished_by in ('learner', 'deadline', 'merge')),
  result jsonb,
  score_percent numeric(5, 2),
  is_passed boolean,
  check ((user_id is null) <> (guest_id is null)),
  check ((state = 'finished') = (finished_at is not null)),
  check ((mode = 'timed') or deadline_at is null)
);
create unique index attempts_one_open on attempts (coalesce(user_id, guest_id), family_id, mode) where state = 'open';
create index attempts_person on attempts (user_id, started_at desc);
create index attempts_guest on attempts (guest_id) where guest_id is not null;
create index attempts_deadline on attempts (deadline_at) where state = 'open' and deadline_at is not null;
create index attempts_exam on attempts (exam_id);

create table attempt_answers (
  attempt_id uuid not null references attempts (id) on delete cascade,
  question_id text not null,
  selection text[] not null default '{}',
  is_flagged boolean not null default false,
  struck text[] not null default '{}',
  seq bigint not null,
  writer text not null,
  -- Practice and preview: when the key was shown. The selection is final from then on.
  checked_at timestamptz,
  saved_at timestamptz not null,
  primary key (attempt_id, question_id)
);
