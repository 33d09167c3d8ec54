-- How many questions of a drill are answered, from when until when, and the sum of the transactions that wrote those answers. A learner's
-- progress is recognized as unchanged by these, without reading all of their answers.
alter table drills
  add column answer_count int not null default 0,
  add column answers_written numeric not null default 0,
  add column answered_from timestamptz,
  add column answered_until timestamptz;

create function count_drill_answers(ids uuid[]) returns void language plpgsql as $$
begin
  -- The count is a statement of its own, so it sees what others wrote until they let go of the drill.
  perform from drills where id = any(ids) order by id for no key update;
  update drills set (answer_count, answers_written, answered_from, answered_until) = (
    select count(*), coalesce(sum(drill_answers.xmin::text::bigint), 0), min(answered_at), max(answered_at)
    from drill_answers where drill_id = drills.id and answered_at is not null)
  where id = any(ids);
end $$;

create function store_drill_answers() returns trigger language plpgsql as $$
begin
  perform count_drill_answers((select array_agg(distinct drill_id) from written));
  return null;
end $$;
create trigger drill_answers_added after insert on drill_answers
  referencing new table as written for each statement execute function store_drill_answers();
create trigger drill_answers_changed after update on drill_answers
  referencing new table as written for each statement execute function store_drill_answers();

select count_drill_answers(array_agg(id)) from drills;
