-- A diagnostic is a drill whose layout grows question by question and whose answers are shown at its end.
alter table drills
  -- Null: a drill. 'full' asks from the whole bank; 'short' from the free trials, guests too.
  add column diagnostic text check (diagnostic in ('full', 'short')),
  add column guest_id uuid,
  alter column user_id drop not null,
  add constraint drills_of_one check (
    (user_id is null) <> (guest_id is null) and (guest_id is null or diagnostic is not distinct from 'short')
  ),
  -- A course that is deleted was never owned, so this removes diagnostics on its free trials.
  drop constraint drills_course_id_fkey,
  add constraint drills_course_id_fkey foreign key (course_id) references courses (id) on delete cascade;
drop index drills_one_open;
create unique index drills_one_open on drills (coalesce(user_id, guest_id), course_id, coalesce(diagnostic, ''))
  where finished_at is null;
create index drills_guest on drills (guest_id) where guest_id is not null;
