-- The audit log as a list to search, and what the work lists count.

alter table audit_log
  -- Who only looked at something has changed nothing.
  add column is_look boolean not null generated always as (action ~ '\.(list|read|export|preview)$') stored;
create index audit_log_newest on audit_log (at, id);
create index audit_log_changes on audit_log (at, id) where not is_look;
create index audit_log_actor on audit_log (actor_id, at, id);
create index audit_log_action on audit_log (action, at, id);
create index audit_log_subject_id on audit_log (subject_id text_pattern_ops, at, id);

alter table test_questions
  add column needs_review_count integer not null
    generated always as (jsonb_array_length(jsonb_path_query_array(questions, '$[*] ? (@.needs_review == true)'))) stored;
create index test_questions_review on test_questions (course_id) where is_current_version and needs_review_count > 0;
