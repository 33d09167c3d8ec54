-- What a question says, without the facts about it: equal as long as nothing that was compared with its sources has changed.
create function question_text_hash(question jsonb) returns text language sql immutable parallel safe as $$
  select md5((question - array['verifiedOn', 'guide', 'domain', 'difficulty', 'needsReview', 'caseStudy', 'fingerprint'])::text)
$$;

-- A question that arrives for a stored one. It keeps the day on which that was verified if it brings none, and the later day if both say
-- the same; so an old file never makes a question older.
create function with_verification(arriving jsonb, stored jsonb) returns jsonb language sql immutable parallel safe as $$
  select case
    when stored is null then arriving
    when not arriving ? 'verifiedOn'
      or (question_text_hash(arriving) = question_text_hash(stored) and coalesce(stored ->> 'verifiedOn', '') > arriving ->> 'verifiedOn')
    then arriving || jsonb_strip_nulls(jsonb_build_object(
      'verifiedOn', stored -> 'verifiedOn', 'guide', coalesce(stored -> 'guide', arriving -> 'guide')))
    else arriving end
$$;

-- The questions of current versions, in columns, so that a list of those to verify does not read every text.
create table question_freshness (
  family_id uuid not null references test_questions (id) on delete cascade,
  question_id text not null,
  -- From 1: its number in the exam.
  place int not null,
  -- The beginning of its text.
  stem text not null,
  type text not null,
  url text not null,
  domain text not null,
  verified_on date,
  -- The exam guide that it follows; null if it follows that of its course.
  guide text,
  text_hash text not null,
  -- The hash that it had when it was verified.
  verified_hash text,
  primary key (family_id, question_id)
);
create index question_freshness_url on question_freshness (url) where url <> '';

-- A damaged question must not keep its exam from being stored: what it lacks is empty here.
create function refresh_question_freshness(family uuid, current_questions jsonb) returns void language sql as $$
  delete from question_freshness as known where family_id = family
    and not exists (select from jsonb_array_elements(current_questions) as one where one ->> 'id' = known.question_id);
  insert into question_freshness as known
    (family_id, question_id, place, stem, type, url, domain, verified_on, guide, text_hash, verified_hash)
  select family, one ->> 'id', place, left(coalesce(one ->> 'stem', ''), 400), coalesce(one ->> 'type', ''), coalesce(one ->> 'url', ''), coalesce(one ->> 'domain', ''),
    (one ->> 'verifiedOn')::date, one ->> 'guide', question_text_hash(one),
    case when one ? 'verifiedOn' then question_text_hash(one) end
  from jsonb_array_elements(current_questions) with ordinality as list (one, place)
  where one ->> 'id' is not null
  on conflict (family_id, question_id) do update set
    (place, stem, type, url, domain, verified_on, guide, text_hash) =
      (excluded.place, excluded.stem, excluded.type, excluded.url, excluded.domain, excluded.verified_on, excluded.guide, excluded.text_hash),
    -- Whoever changes the day has compared the text that is stored with it.
    verified_hash = case when excluded.verified_on is distinct from known.verified_on then excluded.verified_hash else known.verified_hash end;
$$;

create function store_question_freshness() returns trigger language plpgsql as $$
begin
  if new.is_current_version then
    perform refresh_question_freshness(new.family_id, new.questions);
  end if;
  return null;
end $$;
create trigger test_questions_freshness_added after insert on test_questions
  for each row execute function store_question_freshness();
create trigger test_questions_freshness_changed after update of questions, is_current_version, parent_exam_id on test_questions
  for each row when (old.questions is distinct from new.questions or old.is_current_version <> new.is_current_version
    or old.parent_exam_id is distinct from new.parent_exam_id)
  execute function store_question_freshness();

select refresh_question_freshness(family_id, questions) from test_questions where is_current_version;
