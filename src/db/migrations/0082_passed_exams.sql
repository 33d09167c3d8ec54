-- Exam dates that had passed when the learner set another one or removed it: the question how that exam went stays.
create table passed_exams (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  exam_date date not null,
  time_zone text not null,
  date_set_at timestamptz not null,
  date_moved_at timestamptz,
  primary key (user_id, course_id, exam_date)
);
