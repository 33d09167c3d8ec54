-- What the answers of a learner in a course have come to, so that a new answer costs itself and not all answers before. It can always be
-- computed again: rows that are missing or no longer fit are.
create table study_progress (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  -- The number of covered answers and the sum of the transactions that wrote them.
  mark text not null,
  covered_until timestamptz not null,
  -- Row versions of the exams that were answered: a corrected answer key changes them.
  exam_versions json not null,
  progress json not null,
  primary key (user_id, course_id)
);
