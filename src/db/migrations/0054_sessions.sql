-- Sessions are found by the SHA-256 of their token, so that a copy of this table opens none of them. Sessions that are open stay open.
alter table sessions rename column token to token_hash;
update sessions
  set token_hash = translate(rtrim(encode(sha256(convert_to(token_hash, 'UTF8')), 'base64'), '='), '+/', '-_');

-- A session ends 30 days after its start, or after 7 days without use: every use moves expires_at.
alter table sessions add column last_used_at timestamptz not null default now();
update sessions set expires_at = least(expires_at, now() + interval '7 days');
-- When the user last proved who they are in this session: at sign-in, or when they confirmed it.
alter table sessions add column confirmed_at timestamptz;

-- The secret of an authenticator app (TOTP), encrypted with the installation's secret. Not in use before enabled_at.
create table authenticators (
  user_id uuid primary key references users (id) on delete cascade,
  sealed_secret text not null,
  enabled_at timestamptz,
  -- The time step of the last accepted code: no code works twice.
  last_step bigint,
  created_at timestamptz not null default now()
);
create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);
create table passkeys (
  -- The id that the authenticator chose, in base64url.
  id text primary key,
  user_id uuid not null references users (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);
