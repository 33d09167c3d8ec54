-- Coupons, what they took off, what admins decide about orders, and which access letters have gone out.

create table coupons (
  id uuid primary key default gen_random_uuid(),
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{2,31}$'),
  -- One of the two: so many percent, or so many cents.
  percent integer check (percent between 1 and 100),
  amount_cents integer check (amount_cents between 1 and 99999999),
  -- From the first instant to just before the second; null: without an end on that side.
  starts_at timestamptz,
  ends_at timestamptz,
  use_limit integer check (use_limit >= 1),
  -- Null: every course. No foreign key: a course that goes must not make its coupon one for all.
  course_ids uuid[] check (cardinality(course_ids) between 1 and 100),
  is_active boolean not null default true,
  created_at timestamptz not null,
  check (num_nonnulls(percent, amount_cents) = 1),
  check (ends_at > starts_at)
);

alter table orders
  add column coupon_id uuid references coupons (id),
  add column coupon_code text,
  -- An admin ended what the order gave, although its money stayed, all or in part.
  add column access_ended_at timestamptz,
  -- Why a person has to look at it, and since when; null: nothing to do.
  add column trouble text,
  add column trouble_at timestamptz,
  add check ((coupon_id is null) = (coupon_code is null)),
  add check ((trouble is null) = (trouble_at is null));
alter table order_lines
  add column discount_cents integer not null default 0
    check (discount_cents between 0 and unit_price_cents * quantity);
-- The uses of a coupon are counted from here.
create index orders_coupon on orders (coupon_id) where coupon_id is not null;
create index orders_trouble on orders (trouble_at) where trouble is not null;
create index orders_disputed on orders (created_at) where state = 'disputed';
create index gateway_events_order on gateway_events (order_id, received_at);

-- One letter of each kind for each end of access, whoever sends it.
create table access_letters (
  user_id uuid not null references users (id) on delete cascade,
  course_id uuid not null references courses (id) on delete cascade,
  kind text not null check (kind in ('ends-soon', 'ended')),
  access_ends_at timestamptz not null,
  sent_at timestamptz not null,
  primary key (user_id, course_id, kind, access_ends_at)
);
