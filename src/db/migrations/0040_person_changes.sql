-- What a person owns and has taken is kept by each process until it changes (decision 0011): these triggers say whose it was.
-- A notification makes commits wait for each other, so saved answers tell nobody; nor does a page that becomes the writer.

create function tell_person_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    if old.user_id is not null then perform pg_notify('person_changes', old.user_id::text); end if;
  end if;
  if tg_op <> 'DELETE' then
    if new.user_id is not null then perform pg_notify('person_changes', new.user_id::text); end if;
  end if;
  return null;
end $$;

create trigger access_periods_person after insert or update or delete on access_periods
  for each row execute function tell_person_change();
create trigger attempts_person_begun after insert or delete on attempts
  for each row execute function tell_person_change();
create trigger attempts_person_changed after update on attempts for each row
  when ((old.user_id, old.state, old.deadline_at, old.finished_at, old.score_percent, old.is_passed)
    is distinct from (new.user_id, new.state, new.deadline_at, new.finished_at, new.score_percent, new.is_passed))
  execute function tell_person_change();
