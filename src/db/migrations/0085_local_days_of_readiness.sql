-- The last answer of the day that a row tells of. Days are now those of the learner's time zone; when the zone changes, rows move to the
-- days on which these instants lie. Rows that the version before still writes have none and count as told at noon (UTC).
alter table readiness_days add column last_at timestamptz;
update readiness_days set last_at = (
  select max(at) from (
    select max(finished_at) as at from attempts
    where attempts.user_id = readiness_days.user_id and attempts.course_id = readiness_days.course_id and state = 'finished'
      and finished_at >= day::timestamp at time zone 'UTC' and finished_at < (day + 1)::timestamp at time zone 'UTC'
    union all
    select max(answered_at) from drill_answers join drills on drills.id = drill_id
    where drills.user_id = readiness_days.user_id and drills.course_id = readiness_days.course_id
      and answered_at >= day::timestamp at time zone 'UTC' and answered_at < (day + 1)::timestamp at time zone 'UTC'
  ) as given
);
-- Computed again at the learner's next visit, where the days were those of UTC and are now others.
delete from study_progress where time_zone <> 'UTC';
