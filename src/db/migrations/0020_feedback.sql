-- What visitors say through the widget on every page.
create table feedback (
  id uuid primary key,
  type text not null check (type in ('positive', 'negative', 'suggestion')),
  message text not null check (length(message) between 1 and 4000),
  -- Where it was said: the path of the page.
  context text not null default '' check (length(context) <= 2000),
  user_id uuid references users (id) on delete set null,
  said_at timestamptz not null,
  settled_at timestamptz,
  settled_by uuid references users (id) on delete set null
);
create index feedback_waiting on feedback (said_at desc, id) where settled_at is null;
create index feedback_settled on feedback (settled_at desc, id) where settled_at is not null;
