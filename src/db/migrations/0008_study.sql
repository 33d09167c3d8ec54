-- Drills, and what was answered in them. Cards and readiness are worked out from answers, and stored nowhere.

create table drills (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id),
  -- What it was built from.
  filters jsonb not null,
  seed integer not null,
  -- [{ "examId", "familyId", "questionId", "answers": [ids], "isMultiple" }] in the order that is shown.
  layout jsonb not null,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index drills_one_open on drills (user_id, course_id) where finished_at is null;
create index drills_person on drills (user_id, course_id, started_at desc);

create table drill_answers (
  drill_id uuid not null references drills (id) on delete cascade,
  place integer not null check (place >= 0),
  selection text[] not null default '{}',
  is_flagged boolean not null default false,
  -- When it was checked; from then on the selection is final. Null: it is only flagged so far.
  answered_at timestamptz,
  primary key (drill_id, place)
);
