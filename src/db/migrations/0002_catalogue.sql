-- The catalogue: courses and their exams. The names of tables and columns are the specification's.

create table courses (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 199 and title !~ '[<>]'),
  description text not null default 'No description' check (length(description) between 1 and 1999),
  price numeric(6, 2) not null default 0 check (price between 0 and 9999.99),
  category text check (category in ('practitioner', 'associate', 'professional', 'specialty')),
  image_url text not null default '',
  slug text not null unique,
  blueprint jsonb,
  status text not null default 'published' check (status in ('draft', 'published', 'withdrawn')),
  total_questions integer,
  total_practice_exams integer,
  user_id uuid references users (id) on delete set null,
  row_version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index courses_newest on courses (created_at desc, id) where status = 'published';
create index courses_updated on courses (updated_at desc, id);

create table test_questions (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references courses (id),
  test_name text not null check (length(test_name) between 1 and 199),
  questions jsonb not null default '[]' check (jsonb_typeof(questions) = 'array'),
  question_count integer generated always as (jsonb_array_length(questions)) stored,
  passing_score integer not null default 70 check (passing_score between 0 and 100),
  time_limit integer not null default 60 check (time_limit between 1 and 1440),
  slug text not null,
  category text,
  user_id uuid references users (id) on delete set null,
  is_free_trial boolean not null default false,
  is_free boolean generated always as (is_free_trial) stored,
  scoring_policy text not null default 'all-or-nothing' check (scoring_policy in ('all-or-nothing', 'partial')),
  position integer not null default 0,
  version_number integer not null default 1,
  parent_exam_id uuid references test_questions (id),
  is_current_version boolean not null default true,
  created_from_version integer,
  -- All versions of one exam share this id: the id of its first version.
  family_id uuid generated always as (coalesce(parent_exam_id, id)) stored,
  row_version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index test_questions_slug on test_questions (slug) where is_current_version;
create unique index test_questions_version on test_questions (family_id, version_number);
create index test_questions_course on test_questions (course_id, position, id);

create function bump_row_version() returns trigger language plpgsql as $$
begin
  new.row_version := old.row_version + 1;
  return new;
end $$;
create trigger courses_row_version before update on courses for each row execute function bump_row_version();
create trigger test_questions_row_version before update on test_questions for each row execute function bump_row_version();

-- Every process hears of every change when the transaction that made it commits.
create function notify_catalogue_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('catalogue_changes', json_build_object(
    'table', tg_table_name,
    'op', lower(tg_op),
    'id', changed ->> 'id',
    'course_id', case when tg_table_name = 'courses' then changed ->> 'id' else changed ->> 'course_id' end,
    'row_version', (changed ->> 'row_version')::bigint
  )::text);
  return null;
end $$;
create trigger courses_notify after insert or update or delete on courses for each row execute function notify_catalogue_change();
create trigger test_questions_notify after insert or update or delete on test_questions for each row execute function notify_catalogue_change();
