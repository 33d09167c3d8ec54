-- Drills by day, for who was active.
create index drills_started on drills (started_at) include (course_id, user_id);
