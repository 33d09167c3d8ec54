-- When a learner is reminded of what is left for the day: once for all courses together, so that it is not a matter of one plan.
create table study_reminders (
  user_id uuid primary key references users (id) on delete cascade,
  -- An hour of the learner's day, in the time zone of the plan whose exam is next.
  hour integer not null check (hour between 0 and 23),
  -- The learner's day for which a reminder was sent, or was not needed, last.
  reminded_on date
);

drop index study_plans_reminders;
alter table study_plans drop column remind_hour, drop column reminded_on;
