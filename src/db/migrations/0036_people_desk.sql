-- What admins do with people: finding them among many, and locking them out.

-- The words of a text, for a search by their beginnings. Verbatim: the parser of text search would take an address apart
-- as an address, and a number as a number.
create function search_words(content text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(regexp_split_to_array(lower(left(content, 600)), '[\s!-/:-@\[-`{-~]+'), ''))
$$;

alter table users
  -- Since when this person may not sign in, and what they are told.
  add column locked_at timestamptz,
  add column locked_reason text check (length(locked_reason) between 1 and 500),
  add check ((locked_at is null) = (locked_reason is null)),
  -- Of name and address together, so that it is for the database to say whether few or many fit.
  add column words tsvector not null generated always as (search_words(name || ' ' || email)) stored;

-- A name is stored with the identity and with the profile; it is the same.
create function keep_name() returns trigger language plpgsql as $$
begin
  update users set name = new.full_name where id = new.id;
  return null;
end $$;
create trigger profiles_keep_name after update of full_name on profiles
  for each row when (old.full_name <> new.full_name) execute function keep_name();

-- What waits to be indexed is read by every search, so it is kept short.
create index users_words on users using gin (words) with (gin_pending_list_limit = 256);
create index users_newest on users (created_at, id) where deleted_at is null;
create index users_locked on users (created_at, id) where locked_at is not null;
create index users_unverified on users (created_at, id) where not email_verified and deleted_at is null;
create index profiles_admins on profiles (id) where role = 'admin';
create index access_periods_running on access_periods (ends_at, starts_at, user_id) where revoked_at is null;

-- Somebody who runs the shop is always left, whoever takes whose role away at the same time. Those who take one wait for
-- each other; the lock is the one of accounts/write.
create function keep_an_admin() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  if not exists (
    select from profiles join users on users.id = profiles.id
    where profiles.role = 'admin' and users.locked_at is null
  ) then
    raise exception 'the last admin stays' using errcode = 'check_violation', constraint = 'keep_an_admin';
  end if;
  return null;
end $$;
create trigger profiles_keep_an_admin after update of role on profiles
  for each row when (old.role = 'admin' and new.role <> 'admin') execute function keep_an_admin();
create trigger users_keep_an_admin after update of locked_at on users
  for each row when (old.locked_at is null and new.locked_at is not null) execute function keep_an_admin();
