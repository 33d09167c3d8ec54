-- The one draft of an exam, a row a question, so that an edit of one of a thousand writes one row.

-- Every write takes the next number: no number is ever used again, not by a draft that is begun anew either.
create sequence draft_versions;

create table exam_drafts (
  family_id uuid primary key references test_questions (id) on delete cascade,
  -- The current version when it was begun.
  from_exam_id uuid not null references test_questions (id) on delete cascade,
  test_name text not null check (length(test_name) between 1 and 199),
  passing_score integer not null check (passing_score between 0 and 100),
  time_limit integer not null check (time_limit between 1 and 1440),
  scoring_policy text not null check (scoring_policy in ('all-or-nothing', 'partial')),
  is_free_trial boolean not null,
  -- Of the settings, and of the whole draft.
  settings_version bigint not null default nextval('draft_versions'),
  row_version bigint not null default nextval('draft_versions'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references users (id) on delete set null
);

create table exam_draft_questions (
  family_id uuid not null references exam_drafts (family_id) on delete cascade,
  question_id text not null,
  place integer not null,
  question jsonb not null,
  row_version bigint not null default nextval('draft_versions'),
  updated_at timestamptz not null,
  updated_by uuid references users (id) on delete set null,
  primary key (family_id, question_id)
);
create index exam_draft_questions_order on exam_draft_questions (family_id, place);
