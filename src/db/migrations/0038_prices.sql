-- Prices that are planned, sales, and what each course has cost.

alter table courses
  -- While a sale runs, `price` is what the sale asks, and this is what comes back when it ends.
  add column regular_price numeric(6, 2) check (regular_price between 0 and 9999.99),
  -- The lowest price of the 30 days before the sale, where it is known and higher: what may be shown struck through.
  add column was_price numeric(6, 2),
  add column sale_ends_at timestamptz,
  add check ((regular_price is null) = (sale_ends_at is null)),
  add check (was_price is null or (regular_price is not null and was_price > price));

create table price_plans (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references courses (id) on delete cascade,
  kind text not null check (kind in ('price', 'sale')),
  cents integer not null check (cents between 0 and 999999),
  -- A sale runs from the first instant to just before the second.
  starts_at timestamptz not null,
  ends_at timestamptz,
  state text not null default 'planned' check (state in ('planned', 'running', 'done', 'cancelled')),
  made_at timestamptz not null,
  made_by uuid references users (id) on delete set null,
  check ((kind = 'sale') = (ends_at is not null)),
  check (ends_at > starts_at),
  check (state <> 'running' or kind = 'sale')
);
create unique index price_plans_one_sale on price_plans (course_id) where state = 'running';
create index price_plans_course on price_plans (course_id, starts_at);
create index price_plans_starting on price_plans (starts_at) where state = 'planned';
create index price_plans_ending on price_plans (ends_at) where state = 'running';

create table price_history (
  id bigint generated always as identity primary key,
  course_id uuid not null references courses (id) on delete cascade,
  cents integer not null,
  is_sale boolean not null,
  at timestamptz not null
);
create index price_history_course on price_history (course_id, at desc, id desc);

create function record_price() returns trigger language plpgsql as $$
begin
  insert into price_history (course_id, cents, is_sale, at)
  values (new.id, (new.price * 100)::integer, new.regular_price is not null, new.updated_at);
  return null;
end $$;
create trigger courses_price_added after insert on courses for each row execute function record_price();
create trigger courses_price_changed after update of price, regular_price on courses
  for each row when (old.price <> new.price or (old.regular_price is null) <> (new.regular_price is null))
  execute function record_price();
-- What is known of the prices until now: that they did not change since.
insert into price_history (course_id, cents, is_sale, at)
select id, (price * 100)::integer, false, updated_at from courses;

-- A price that is set by hand ends the sale. Whoever follows the plan changes both prices at once.
create function end_sale_by_hand() returns trigger language plpgsql as $$
begin
  new.regular_price := null;
  new.was_price := null;
  new.sale_ends_at := null;
  update price_plans set state = 'done' where course_id = new.id and state = 'running';
  return new;
end $$;
create trigger courses_sale_by_hand before update of price on courses for each row
  when (old.price <> new.price and old.regular_price is not null
    and old.regular_price is not distinct from new.regular_price
    and old.sale_ends_at is not distinct from new.sale_ends_at)
  execute function end_sale_by_hand();
create index courses_by_title on courses (title, id);

-- Imports that wait for somebody to mend what could not go in.
create index import_questions_refused on import_questions (import_id) where verdict = 'refused' and fate = 'open';
