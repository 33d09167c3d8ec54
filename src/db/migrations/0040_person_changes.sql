-- The access periods of a person are kept by the processes until one of them changes (decision 0011): this says whose it was.
create function tell_person_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('person_changes', old.user_id::text);
  end if;
  if tg_op <> 'DELETE' then
    perform pg_notify('person_changes', new.user_id::text);
  end if;
  return null;
end $$;
create trigger access_periods_person after insert or update or delete on access_periods
  for each row execute function tell_person_change();
