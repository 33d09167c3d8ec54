-- Every change of the catalogue has a number, and the numbers are in the order of the commits (decision 0011). So who has
-- seen number n, and then reads what is above n, has missed nothing.
create table catalogue_changes (
  number bigint primary key,
  changed_table text not null,
  op text not null,
  row_id uuid not null,
  course_id uuid not null,
  row_version bigint not null,
  -- Whether guests can see what was changed, before or after.
  is_public boolean not null,
  changed_at timestamptz not null default now()
);
create sequence catalogue_change_numbers as bigint cache 1 owned by catalogue_changes.number;

-- Runs as the last thing before the commit. The lock is held until the commit is visible, so the next number is taken by a
-- transaction that commits later.
create function record_catalogue_change(changed_table text, op text, row_id uuid, course_id uuid, row_version bigint, is_public boolean)
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4201016);
  insert into catalogue_changes (number, changed_table, op, row_id, course_id, row_version, is_public)
  values (nextval('catalogue_change_numbers'), changed_table, op, row_id, course_id, row_version, is_public);
  -- Only a call to look; the same call of one transaction is sent once.
  perform pg_notify('catalogue_changes', '');
end $$;

create function record_course_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_catalogue_change('courses', 'delete', old.id, old.id, old.row_version, old.status <> 'draft');
  elsif tg_op = 'INSERT' then
    perform record_catalogue_change('courses', 'insert', new.id, new.id, new.row_version, new.status <> 'draft');
  else
    perform record_catalogue_change('courses', 'update', new.id, new.id, new.row_version,
      new.status <> 'draft' or old.status <> 'draft');
  end if;
  return null;
end $$;

-- An exam is as public as its course; a version that is no longer current is nobody's business but the admins'.
create function record_exam_change() returns trigger language plpgsql as $$
declare
  changed_course uuid := case when tg_op = 'DELETE' then old.course_id else new.course_id end;
  is_shown boolean := exists (select from courses where courses.id = changed_course and courses.status <> 'draft');
begin
  if tg_op = 'DELETE' then
    perform record_catalogue_change('test_questions', 'delete', old.id, old.course_id, old.row_version,
      is_shown and old.is_current_version);
  elsif tg_op = 'INSERT' then
    perform record_catalogue_change('test_questions', 'insert', new.id, new.course_id, new.row_version,
      is_shown and new.is_current_version);
  else
    perform record_catalogue_change('test_questions', 'update', new.id, new.course_id, new.row_version,
      is_shown and (new.is_current_version or old.is_current_version));
  end if;
  return null;
end $$;

drop trigger courses_notify on courses;
drop trigger test_questions_notify on test_questions;
drop function notify_catalogue_change();
create constraint trigger courses_change after insert or update or delete on courses
  deferrable initially deferred for each row execute function record_course_change();
create constraint trigger test_questions_change after insert or update or delete on test_questions
  deferrable initially deferred for each row execute function record_exam_change();
