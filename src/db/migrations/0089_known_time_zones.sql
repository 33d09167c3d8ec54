-- Plans could be stored with a zone that PostgreSQL does not know; every statement about the days of all plans then failed.
update study_plans set time_zone = 'UTC'
where not exists (select from pg_timezone_names where lower(name) = lower(study_plans.time_zone));
update passed_exams set time_zone = 'UTC'
where not exists (select from pg_timezone_names where lower(name) = lower(passed_exams.time_zone));
