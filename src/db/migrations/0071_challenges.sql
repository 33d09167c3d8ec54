-- A report may challenge a question: it names the answer that its reporter thinks right and the page that says so.
alter table question_reports
  add column source text,
  add column claim jsonb,
  add constraint question_reports_claim_has_source check (claim is null or source is not null);
-- A user challenges a question once in each version.
create unique index question_reports_one_challenge on question_reports (user_id, exam_id, question_id) where claim is not null;
create index question_reports_question on question_reports (family_id, question_id);

-- What was corrected in a question because of a report, for the list on the course page. Corrected answer keys are in regrades.
create table errata (
  id uuid primary key default gen_random_uuid(),
  family_id uuid not null,
  question_id text not null,
  what text not null,
  corrected_at timestamptz not null
);
create index errata_family on errata (family_id, corrected_at desc);

-- Cached course pages show the list, so a new entry is a change of its exam.
create function record_erratum() returns trigger language plpgsql as $$
declare
  exam record;
begin
  select test_questions.id, course_id, test_questions.row_version, courses.status <> 'draft' as is_shown into exam
    from test_questions join courses on courses.id = course_id
    where test_questions.family_id = new.family_id and is_current_version limit 1;
  if found then
    perform record_catalogue_change('test_questions', 'update', exam.id, exam.course_id, exam.row_version, exam.is_shown);
  end if;
  return null;
end $$;
create constraint trigger errata_change after insert on errata deferrable initially deferred
  for each row execute function record_erratum();
