-- Questions that somebody brings in: the bytes as they came, what was read of them, and what became of each question.

-- Two questions of one print ask the same, with the same answers and the same key, in whatever order and with whatever blanks.
create function question_print(question jsonb) returns text language sql immutable parallel safe as $$
  select md5(regexp_replace(btrim(question ->> 'question'), '\s+', ' ', 'g') || E'\n' || (
    select coalesce(string_agg(answer, E'\n' order by answer collate "C"), '')
    from (
      select case when strpos(coalesce(question ->> 'final_answer', ''), upper(letter)) > 0 then '=' else '~' end
        || regexp_replace(btrim(question ->> ('answer_' || letter)), '\s+', ' ', 'g') as answer
      from unnest(array['a', 'b', 'c', 'd', 'e', 'f']) as letter
      where coalesce(question ->> ('answer_' || letter), '') <> ''
    ) answers))
$$;

-- The questions of all current versions, so that a key or a question is found without reading every exam.
create table question_prints (
  family_id uuid not null,
  question_id text not null,
  print text,
  primary key (family_id, question_id)
);
create index question_prints_print on question_prints (print);
create index question_prints_question on question_prints (question_id);

create function keep_question_prints() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.is_current_version then
    delete from question_prints where family_id = old.family_id;
  end if;
  if tg_op <> 'DELETE' and new.is_current_version then
    insert into question_prints (family_id, question_id, print)
    select new.family_id, one ->> 'id', question_print(one)
    from jsonb_array_elements(new.questions) as one
    where one ->> 'id' is not null
    on conflict (family_id, question_id) do update set print = excluded.print;
  end if;
  return null;
end $$;
create trigger test_questions_prints_made after insert or delete on test_questions
  for each row execute function keep_question_prints();
create trigger test_questions_prints_changed after update of questions, is_current_version, parent_exam_id on test_questions
  for each row when (old.questions is distinct from new.questions or old.is_current_version <> new.is_current_version)
  execute function keep_question_prints();
insert into question_prints (family_id, question_id, print)
select family_id, one ->> 'id', question_print(one)
from test_questions cross join jsonb_array_elements(questions) as one
where is_current_version and one ->> 'id' is not null
on conflict do nothing;

-- What a draft holds is in the bank too: whoever imports a file twice before publishing must hear of it.
alter table exam_draft_questions add column print text generated always as (question_print(question)) stored;
create index exam_draft_questions_print on exam_draft_questions (print);
create index exam_draft_questions_question on exam_draft_questions (question_id);

create table imports (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  size_bytes bigint not null default 0,
  state text not null check (state in ('uploading', 'waiting', 'reading', 'mapping', 'read', 'failed', 'cancelled')),
  -- What an admin said it is; what it was taken for, and by which sign.
  wanted_format text,
  format text,
  sign text,
  -- Of a table: its first rows, and which column holds what.
  columns jsonb,
  mapping jsonb,
  read_count integer not null default 0,
  read_percent integer not null default 0,
  problem text,
  findings jsonb not null default '[]',
  exams jsonb not null default '[]',
  -- Each reading has a number: one that was given up writes nothing any more.
  turn integer not null default 0,
  heard_at timestamptz,
  -- Where its questions went last; where mended ones go too.
  target_family_id uuid,
  target_course_id uuid,
  stored_at timestamptz,
  made_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index imports_newest on imports (created_at desc, id);
create index imports_unread on imports (heard_at) where state in ('uploading', 'waiting', 'reading');

create table import_chunks (
  import_id uuid not null references imports (id) on delete cascade,
  place integer not null,
  bytes bytea not null,
  primary key (import_id, place)
);

create table import_questions (
  import_id uuid not null references imports (id) on delete cascade,
  place integer not null,
  exam_place integer not null,
  file text not null,
  line integer not null,
  key text not null,
  -- What the bank's rules say of it, and what is to be done with it.
  judged text not null check (judged in ('good', 'needs-review', 'refused')),
  verdict text not null check (verdict in ('good', 'needs-review', 'changed', 'there', 'refused')),
  reasons jsonb not null default '[]',
  lost jsonb not null default '[]',
  input jsonb not null default '{}',
  question jsonb,
  print text generated always as (question_print(question)) stored,
  -- The question of the bank that it is, or was.
  there_family_id uuid,
  there_question_id text,
  fate text not null default 'open' check (fate in ('open', 'stored', 'dismissed')),
  primary key (import_id, place)
);
create index import_questions_verdict on import_questions (import_id, verdict, place);

create table import_pictures (
  import_id uuid not null references imports (id) on delete cascade,
  hash text not null,
  bytes bytea not null,
  primary key (import_id, hash)
);
