-- Questions get a type, and answers with them. Before, each question was a choice with its options under the letters a to f, an
-- answer was a list of option ids, and SQL computed the fingerprint. Now the application computes it and stores it with the
-- question; the values of these questions stay, because findings that were set aside and verdicts of imports refer to them.
create function typed_question(question jsonb) returns jsonb language sql immutable as $$
  with filled as (
    select letter, question ->> ('answer_' || letter) as text,
      row_number() over (order by letter) as place,
      row_number() over (partition by question ->> ('answer_' || letter) order by letter) as repetition
    from unnest(array['a', 'b', 'c', 'd', 'e', 'f']) as letter
    where coalesce(question ->> ('answer_' || letter), '') <> ''
  ), option as (
    select letter, place, text, coalesce(
      question -> 'answer_ids' ->> letter,
      left(encode(sha256(convert_to((question ->> 'id') || E'\n' || text, 'UTF8')), 'hex'), 8)
        || case when repetition > 1 then '-' || repetition else '' end) as id
    from filled
  )
  select jsonb_build_object(
    'type', 'choice',
    'id', question -> 'id',
    'stem', question -> 'question',
    'options', (
      select jsonb_agg(jsonb_build_object('id', id, 'text', text,
        'isRight', strpos(question ->> 'final_answer', upper(letter)) > 0) order by place) from option),
    'explanation', coalesce(question ->> 'explanation', ''),
    'domain', coalesce(question ->> 'domain', 'General'),
    'needsReview', coalesce((question ->> 'needs_review')::boolean, false),
    'url', coalesce(question ->> 'url', ''),
    'suggestedOptionIds', (
      select coalesce(jsonb_agg(id order by place), '[]') from option
      where strpos(coalesce(question ->> 'suggested_answer', ''), upper(letter)) > 0),
    'mostVotedOptionIds', (
      select coalesce(jsonb_agg(id order by place), '[]') from option
      where strpos(coalesce(question ->> 'most_voted_answer', ''), upper(letter)) > 0),
    'difficulty', coalesce(question ->> 'difficulty', ''),
    'fingerprint', question_fingerprint(question))
$$;

alter table exam_draft_questions drop column fingerprint;
alter table import_questions drop column fingerprint;

-- Nobody has to hear of this change: what the questions say stays the same.
alter table test_questions disable trigger user;
alter table exam_draft_questions disable trigger user;
update test_questions set questions = (
  select coalesce(jsonb_agg(typed_question(question) order by place), '[]')
  from jsonb_array_elements(questions) with ordinality as one (question, place));
update exam_draft_questions set question = typed_question(question);
update import_questions set question = typed_question(question) where question is not null;
alter table test_questions enable trigger user;
alter table exam_draft_questions enable trigger user;

alter table exam_draft_questions add column fingerprint text generated always as (question ->> 'fingerprint') stored;
create index exam_draft_questions_fingerprint on exam_draft_questions (fingerprint);
alter table import_questions add column fingerprint text generated always as (question ->> 'fingerprint') stored;

create or replace function store_question_fingerprints() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.is_current_version then
    delete from question_fingerprints where family_id = old.family_id;
  end if;
  if tg_op <> 'DELETE' and new.is_current_version then
    insert into question_fingerprints (family_id, question_id, fingerprint)
    select new.family_id, one ->> 'id', one ->> 'fingerprint'
    from jsonb_array_elements(new.questions) as one
    where one ->> 'id' is not null
    on conflict (family_id, question_id) do update set fingerprint = excluded.fingerprint;
  end if;
  return null;
end $$;
drop function typed_question(jsonb);
drop function question_fingerprint(jsonb);

create function typed_answer(selection text[]) returns jsonb language sql immutable as $$
  select case when cardinality(selection) > 0
    then jsonb_build_object('type', 'choice', 'optionIds', to_jsonb(selection)) end
$$;
alter table attempt_answers alter column selection drop default;
alter table attempt_answers alter column selection drop not null;
alter table attempt_answers alter column selection type jsonb using typed_answer(selection);
alter table attempt_answers rename column selection to answer;
alter table late_answers alter column selection drop not null;
alter table late_answers alter column selection type jsonb using typed_answer(selection);
alter table late_answers rename column selection to answer;
alter table drill_answers alter column selection drop default;
alter table drill_answers alter column selection drop not null;
alter table drill_answers alter column selection type jsonb using typed_answer(selection);
alter table drill_answers rename column selection to answer;
alter table regrades drop constraint regrades_right_answer_ids_check;
alter table regrades alter column right_answer_ids type jsonb using typed_answer(right_answer_ids);
alter table regrades rename column right_answer_ids to answer_key;
drop function typed_answer(text[]);
