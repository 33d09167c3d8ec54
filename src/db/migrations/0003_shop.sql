-- Orders, what they paid for, and the access that they grant. Money is in integer cents.

create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  state text not null default 'pending'
    check (state in ('pending', 'paid', 'expired', 'failed', 'partly_refunded', 'refunded', 'disputed')),
  currency text not null default 'usd',
  subtotal_cents integer not null check (subtotal_cents >= 0),
  discount_cents integer not null default 0 check (discount_cents >= 0),
  tax_cents integer not null check (tax_cents >= 0),
  shipping_cents integer not null check (shipping_cents >= 0),
  total_cents integer not null check (total_cents >= 0),
  -- What was ordered at which prices, as one string: two pending orders of one buyer never hold the same.
  cart_key text not null,
  gateway_session_id text unique,
  gateway_session_url text,
  gateway_payment_intent text,
  is_live boolean not null default false,
  created_at timestamptz not null,
  paid_at timestamptz,
  check (total_cents = subtotal_cents - discount_cents + tax_cents + shipping_cents)
);
create unique index orders_one_pending on orders (user_id, cart_key) where state = 'pending';
create index orders_user on orders (user_id, created_at desc);
create index orders_created on orders (created_at desc, id);

create table order_lines (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references orders (id),
  course_id uuid not null references courses (id),
  title text not null,
  unit_price_cents integer not null check (unit_price_cents >= 0),
  quantity integer not null check (quantity between 1 and 100),
  unique (order_id, course_id)
);

create table order_moves (
  id bigint generated always as identity primary key,
  order_id uuid not null references orders (id),
  from_state text,
  to_state text not null,
  cause text not null,
  detail jsonb not null default '{}',
  at timestamptz not null
);
create index order_moves_order on order_moves (order_id, id);

create table gateway_events (
  id text primary key,
  kind text not null,
  order_id uuid references orders (id),
  outcome text not null,
  received_at timestamptz not null
);

create table access_periods (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  course_id uuid not null references courses (id),
  source text not null check (source in ('order', 'seat', 'grant')),
  order_line_id uuid references order_lines (id),
  seat_code text,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  revoked_at timestamptz,
  created_at timestamptz not null,
  -- One paid line grants its buyer one period, one seat grants its holder one, however often the gateway calls.
  unique (order_line_id),
  unique (seat_code)
);
create index access_periods_person on access_periods (user_id, course_id, ends_at desc);

create table seats (
  code text primary key,
  order_line_id uuid not null references order_lines (id),
  number integer not null,
  course_id uuid not null references courses (id),
  redeemed_by uuid references users (id),
  redeemed_at timestamptz,
  created_at timestamptz not null,
  unique (order_line_id, number)
);
