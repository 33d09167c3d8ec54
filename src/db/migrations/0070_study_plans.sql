-- The exam date of a learner in a course, and how they want to study until then. The plan itself is computed from it and stored nowhere.
create table study_plans (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  -- A day of the calendar in the learner's zone.
  exam_date date not null,
  time_zone text not null,
  wished_percent integer check (wished_percent between 1 and 100),
  minutes_a_day integer not null check (minutes_a_day between 5 and 600),
  -- Weekdays without study: 1 is Monday, 7 is Sunday.
  rest_days integer[] not null default '{}',
  date_set_at timestamptz not null,
  date_moved_at timestamptz,
  -- The hour of the learner's day for an email about due work; null for none.
  remind_hour integer check (remind_hour between 0 and 23),
  -- The learner's day of the last such email.
  reminded_on date,
  -- Part of the secret address of the calendar; null until one is made. A new one ends the former address.
  calendar_id uuid unique,
  primary key (user_id, course_id)
);
create index study_plans_reminders on study_plans (exam_date) where remind_hour is not null;
