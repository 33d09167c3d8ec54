-- The links of questions beside their texts, so that dead ones are found without reading every text.
alter table question_freshness add column links text[] not null default '{}';
drop index question_freshness_url;

create function links_in(words text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct rtrim(link[1], '.,;:!?''*_')), '{}')
  from regexp_matches(coalesce(words, ''), '(https?://[^\s)<>"\]`|\\]+)', 'gi') as link
$$;

-- A damaged question must not keep its exam from being stored: what it lacks is empty here.
create or replace function refresh_question_freshness(family uuid, current_questions jsonb) returns void language sql as $$
  delete from question_freshness as known where family_id = family
    and not exists (select from jsonb_array_elements(current_questions) as one where one ->> 'id' = known.question_id);
  insert into question_freshness as known
    (family_id, question_id, place, stem, type, url, links, domain, verified_on, guide, text_hash, verified_hash)
  select family, one ->> 'id', place, left(coalesce(one ->> 'stem', ''), 400), coalesce(one ->> 'type', ''), coalesce(one ->> 'url', ''),
    links_in(concat_ws(' ', one ->> 'url', one ->> 'stem', one ->> 'explanation')), coalesce(one ->> 'domain', ''),
    (one ->> 'verifiedOn')::date, one ->> 'guide', question_text_hash(one),
    case when one ? 'verifiedOn' then question_text_hash(one) end
  from jsonb_array_elements(current_questions) with ordinality as list (one, place)
  where one ->> 'id' is not null
  on conflict (family_id, question_id) do update set
    (place, stem, type, url, links, domain, verified_on, guide, text_hash) =
      (excluded.place, excluded.stem, excluded.type, excluded.url, excluded.links, excluded.domain, excluded.verified_on,
       excluded.guide, excluded.text_hash),
    verified_hash = case when excluded.verified_on is distinct from known.verified_on then excluded.verified_hash else known.verified_hash end;
$$;
select refresh_question_freshness(family_id, questions) from test_questions where is_current_version;

-- How links of the catalogue answered when the shop last opened them.
create table link_checks (
  url text primary key,
  -- 'dead': it was not there twice, at least a day apart. 'unsure': it did not say.
  state text not null check (state in ('fine', 'unsure', 'dead')),
  -- What was seen, such as '404', 'dns', 'timeout' or 'private'.
  detail text not null,
  checked_at timestamptz not null,
  -- Since when it is not there; null if it was when it last said.
  gone_since timestamptz
);
create index link_checks_dead on link_checks (url) where state = 'dead';
