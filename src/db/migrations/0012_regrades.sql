-- Keys that were mended after people had been graded by them, and the results that stood before.

create table regrades (
  -- Made by the page that asked, so that asking twice mends once.
  id uuid primary key,
  family_id uuid not null references test_questions (id) on delete cascade,
  question_id text not null,
  right_answer_ids text[] not null check (cardinality(right_answer_ids) > 0),
  reason text not null check (length(reason) between 1 and 500),
  actor_id uuid references users (id) on delete set null,
  at timestamptz not null
);
create index regrades_question on regrades (family_id, question_id, at);

create table former_results (
  regrade_id uuid not null references regrades (id) on delete cascade,
  attempt_id uuid not null references attempts (id) on delete cascade,
  result jsonb not null,
  score_percent numeric(5, 2) not null,
  is_passed boolean not null,
  primary key (regrade_id, attempt_id)
);
create index former_results_attempt on former_results (attempt_id);
