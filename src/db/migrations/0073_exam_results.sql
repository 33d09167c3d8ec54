-- How the real exam of a learner went, as they say, and what they had been told before it.
create table exam_results (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  exam_date date not null,
  is_passed boolean not null,
  -- As on the score report; null if they did not say.
  score integer check (score between 0 and 1000),
  -- The score as percent of right answers.
  score_percent float8,
  -- The last day of readiness_days before the exam; null if there was no forecast.
  told jsonb,
  reported_at timestamptz not null,
  unique (user_id, course_id, exam_date)
);
create index exam_results_course on exam_results (course_id);

-- When a learner was asked how an exam went, and when they said 'not now'.
create table exam_result_questions (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  exam_date date not null,
  mailed_at timestamptz,
  declined_at timestamptz,
  primary key (user_id, course_id, exam_date)
);

-- Courses that were given again because of the pledge: once for each paid period.
create table pledges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  exam_date date not null,
  paid_period_id uuid not null unique references access_periods (id) on delete cascade,
  given_period_id uuid references access_periods (id) on delete set null,
  -- What the rule was checked with.
  facts jsonb not null,
  state text not null check (state in ('given', 'asked', 'accepted', 'declined')),
  given_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users (id) on delete set null,
  reason text
);
create index pledges_waiting on pledges (given_at) where state in ('given', 'asked');
create index pledges_user on pledges (user_id, course_id);

alter table access_periods drop constraint access_periods_source_check;
alter table access_periods add constraint access_periods_source_check check (source in ('order', 'seat', 'grant', 'pledge'));

-- Whether guests see how forecasts and results agree. One row at most.
create table result_publication (
  is_public boolean not null,
  changed_at timestamptz not null,
  single boolean primary key default true check (single)
);
