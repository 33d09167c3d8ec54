-- How often somebody did something of a kind in the current window, shared by all processes. Unlogged: after a crash of the database the
-- counts begin again, and backups leave them out.
create unlogged table rate_limits (
  kind text not null,
  -- 'user:<id>', 'network:<address>', or 'address:<hash>' for emails.
  subject text not null,
  count integer not null,
  ends_at timestamptz not null,
  primary key (kind, subject)
);
create index rate_limits_end on rate_limits (ends_at);

-- Earlier links of a user are found by the user, when one of them is used.
create index verifications_value on verifications (value);

-- A stream of /api/realtime ends with its session, and when the role of its user changes. Processes ask again for the user of each stream
-- after such a notification.
create trigger sessions_user after delete on sessions
  for each row execute function notify_user_change();
create function notify_profile_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('user_changes', new.id::text);
  return null;
end $$;
create trigger profiles_user after update of role on profiles
  for each row when (old.role <> new.role) execute function notify_profile_change();
create trigger users_user after update of locked_at, deleted_at on users
  for each row when (old.locked_at is distinct from new.locked_at or old.deleted_at is distinct from new.deleted_at)
  execute function notify_profile_change();
