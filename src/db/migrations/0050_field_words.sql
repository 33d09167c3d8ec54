-- Tables and columns get the standard names of their field. Every older process must be stopped before this runs: it would not find
-- the tables under their old names (docs/operations.md, "Upgrade").
alter table pictures rename to images;
alter table import_pictures rename to import_images;
alter table access_letters rename to access_emails;
alter table given_packs rename to issued_offline_exams;
alter table issued_offline_exams rename column given_at to issued_at;
alter table price_plans rename to scheduled_prices;
alter table orders rename column trouble to payment_issue;
alter table orders rename column trouble_at to payment_issue_at;
alter table import_questions rename column fate to outcome;
alter table imports rename column heard_at to heartbeat_at;
alter table question_prints rename to question_fingerprints;
alter table question_fingerprints rename column print to fingerprint;
alter table import_questions rename column print to fingerprint;
alter table exam_draft_questions rename column print to fingerprint;
alter table bank_findings rename column print to fingerprint;
alter table set_aside_findings rename column print to fingerprint;

-- The bodies of functions name tables and columns as text, so they are written anew.
create or replace function end_sale_by_hand() returns trigger language plpgsql as $$
begin
  new.regular_price := null;
  new.was_price := null;
  new.sale_ends_at := null;
  update scheduled_prices set state = 'done' where course_id = new.id and state = 'running';
  return new;
end $$;

alter function question_print(jsonb) rename to question_fingerprint;
drop trigger test_questions_prints_made on test_questions;
drop trigger test_questions_prints_changed on test_questions;
drop function keep_question_prints();
create function store_question_fingerprints() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.is_current_version then
    delete from question_fingerprints where family_id = old.family_id;
  end if;
  if tg_op <> 'DELETE' and new.is_current_version then
    insert into question_fingerprints (family_id, question_id, fingerprint)
    select new.family_id, one ->> 'id', question_fingerprint(one)
    from jsonb_array_elements(new.questions) as one
    where one ->> 'id' is not null
    on conflict (family_id, question_id) do update set fingerprint = excluded.fingerprint;
  end if;
  return null;
end $$;
create trigger test_questions_fingerprints_added after insert or delete on test_questions
  for each row execute function store_question_fingerprints();
create trigger test_questions_fingerprints_changed after update of questions, is_current_version, parent_exam_id on test_questions
  for each row when (old.questions is distinct from new.questions or old.is_current_version <> new.is_current_version)
  execute function store_question_fingerprints();

-- Processes listen for the changes of a user on this channel (decision 0011).
drop trigger access_periods_person on access_periods;
drop function tell_person_change();
create function notify_user_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('user_changes', old.user_id::text);
  end if;
  if tg_op <> 'DELETE' then
    perform pg_notify('user_changes', new.user_id::text);
  end if;
  return null;
end $$;
create trigger access_periods_user after insert or update or delete on access_periods
  for each row execute function notify_user_change();

-- How a report was settled, in the words of today.
update question_reports set outcome = 'corrected' where outcome = 'mended';
