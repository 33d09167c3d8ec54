-- People: identities (users), what the product knows of them (profiles), sessions and the sign-in lock.

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table profiles (
  id uuid primary key references users (id) on delete cascade,
  role text not null default 'student' check (role in ('student', 'admin')),
  full_name text not null default '',
  extra_time text not null default 'none' check (extra_time in ('none', 'x1.25', 'x1.5', 'x2', 'untimed')),
  updated_at timestamptz not null default now()
);

-- Every identity has a profile from its first moment, whichever way it came in.
create function make_profile() returns trigger language plpgsql as $$
begin
  insert into profiles (id, full_name) values (new.id, new.name) on conflict (id) do nothing;
  return new;
end $$;
create trigger users_make_profile after insert on users for each row execute function make_profile();

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

create table sign_in_methods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index sign_in_methods_user on sign_in_methods (user_id);

create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- One row per address and device; device '' stands for every device that never signed in to the address.
create table sign_in_locks (
  email text not null,
  device text not null default '',
  failures integer not null default 0,
  locked_until timestamptz,
  last_failure_at timestamptz not null,
  primary key (email, device)
);
