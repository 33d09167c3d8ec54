-- The last fit of FSRS to the reviews of a learner. It can be computed again from their answers.
create table memory_fits (
  user_id uuid primary key references users (id) on delete cascade,
  fitted_at timestamptz not null,
  -- The answers of the learner at that time, cards or not.
  answers integer not null,
  -- Reviews that were fitted, and the later ones that decided.
  reviews integer not null,
  held_out integer not null,
  -- The log loss of the later ones; null where there were too few reviews.
  fitted_loss double precision,
  published_loss double precision,
  -- Null where the published parameters are kept.
  weights double precision[]
);
-- Stored cards were computed with the parameters of this fit; null for the published ones.
alter table study_progress add column fitted_at timestamptz;
