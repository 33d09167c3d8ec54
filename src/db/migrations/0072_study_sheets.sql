-- A page for each domain of a course's exam guide: the services, limits, choices and traps that it asks for.
create table study_sheets (
  course_id uuid not null references courses (id) on delete cascade,
  -- Made from the domain: its place in the address.
  slug text not null,
  -- Its place among the sheets of the course. The first one is free.
  position int not null,
  domain text not null,
  -- The version of the exam guide that it follows.
  guide text not null,
  -- The day on which its facts were compared with their sources; null if they were not.
  verified_on date,
  sources jsonb not null,
  body text not null,
  updated_at timestamptz not null,
  primary key (course_id, slug)
);

-- Pages list the sheets with their course, so a change of one is a change of the course.
create function record_study_sheet_change() returns trigger language plpgsql as $$
declare
  changed record;
begin
  select id, row_version, status into changed from courses
    where id = case when tg_op = 'DELETE' then old.course_id else new.course_id end;
  -- A course that was deleted takes its sheets with it, and has told so itself.
  if found then
    perform record_catalogue_change('courses', 'update', changed.id, changed.id, changed.row_version, changed.status <> 'draft');
  end if;
  return null;
end $$;
create constraint trigger study_sheets_change after insert or update or delete on study_sheets
  deferrable initially deferred for each row execute function record_study_sheet_change();
