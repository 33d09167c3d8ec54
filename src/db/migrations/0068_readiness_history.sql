-- What a learner was told at the end of each day (UTC) on which their readiness changed: percent and chances, on exams like ours and on
-- the real one. `abilities` is what a later result of the real exam is weighed with.
create table readiness_days (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  day date not null,
  answered int not null,
  mean float8 not null,
  low float8 not null,
  high float8 not null,
  chance float8 not null,
  real_mean float8 not null,
  real_low float8 not null,
  real_high float8 not null,
  real_chance float8 not null,
  abilities jsonb not null,
  primary key (user_id, course_id, day)
);

-- The last calibration of a course: the answers that it counted, of how many persons.
create table course_calibrations (
  course_id uuid primary key references courses (id) on delete cascade,
  at timestamptz not null,
  responses int not null,
  persons int not null
);
-- How hard each question is, in logits, with its standard error and the number of answers that it rests on. A question whose answer key
-- changes becomes another item: `answer_key` is a hash of what is graded.
create table item_calibrations (
  course_id uuid not null references course_calibrations (course_id) on delete cascade,
  family_id uuid not null,
  question_id text not null,
  answer_key text not null,
  difficulty float8 not null,
  deviation float8 not null,
  responses int not null,
  primary key (family_id, question_id, answer_key)
);
create index item_calibrations_course on item_calibrations (course_id);

-- Answers of a course in drills since an instant, to know when a calibration is due.
create index drill_answers_answered on drill_answers (answered_at) where answered_at is not null;

-- Progress now holds days, time and confidence too. Rows are computed again at the learner's next visit, and their past days with them.
delete from study_progress;
