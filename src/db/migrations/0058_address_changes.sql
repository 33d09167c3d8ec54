-- New email addresses that their users have not confirmed yet. The tokens of the emailed links are stored as hashes only.
create table address_changes (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  new_email text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index address_changes_user on address_changes (user_id);
