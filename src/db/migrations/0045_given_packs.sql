-- Which exams were given to whom for offline practice. What comes back counts only for one of these.
create table given_packs (
  user_id uuid not null references users (id) on delete cascade,
  exam_id uuid not null references test_questions (id) on delete cascade,
  -- Made for each pack, so that it also names it.
  seed integer not null,
  given_at timestamptz not null,
  primary key (user_id, exam_id, seed)
);
