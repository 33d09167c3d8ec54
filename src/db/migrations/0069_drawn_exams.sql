-- Exams that are drawn from the whole bank of a course: no version of an exam, but a layout whose entries say where each question
-- comes from: { question, shape, from: { examId, familyId, questionId } }.
alter table attempts
  alter column exam_id drop not null,
  alter column family_id drop not null,
  -- { kind: 'mock' | 'custom', title, … }: what was asked for, and what the draw says about itself.
  add column drawn jsonb,
  add constraint attempts_of_exam_or_drawn check (
    (exam_id is null) = (family_id is null) and (exam_id is null) = (drawn is not null)
  ),
  add constraint attempts_drawn_timed check (drawn is null or (mode = 'timed' and user_id is not null));
-- One open mock exam and one open custom exam a course.
create unique index attempts_one_open_drawn on attempts (user_id, course_id, (drawn ->> 'kind'))
  where state = 'open' and drawn is not null;
create index attempts_drawn on attempts (user_id, course_id, started_at desc) where drawn is not null;
-- A corrected answer key finds the drawn exams that have the question.
create index attempts_drawn_from on attempts using gin (jsonb_path_query_array(layout, '$[*].from.examId'))
  where drawn is not null;
