-- The zone in whose days the stored progress counts. In another one, or in none, it is computed again.
alter table study_progress add column time_zone text;
