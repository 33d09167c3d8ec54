-- The devices on which a learner wants reminders. A push service of the browser's vendor delivers them (decision 0045).
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- Whoever knows the address can send to it, but not what the keys would need.
  endpoint text not null unique check (length(endpoint) <= 2000),
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now()
);

create index push_subscriptions_user on push_subscriptions (user_id);
