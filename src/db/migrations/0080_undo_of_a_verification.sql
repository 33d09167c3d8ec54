-- The last marking of a question as verified, from which it can be undone: its id, the day and the guide that it wrote, and what was
-- there before: {id, verifiedOn, guide, published: {verifiedOn, guide}, draft: {verifiedOn, guide}, hash}.
alter table question_freshness add column marked jsonb;
create index question_freshness_marked on question_freshness ((marked ->> 'id')) where marked is not null;
