-- A learner's attempts at one exam, counted and paged without reading those at others.
create index attempts_user_exam on attempts (user_id, family_id, state, started_at desc) where user_id is not null;
