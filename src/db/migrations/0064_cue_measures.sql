-- How often strategies that need no knowledge find the answer key of the whole bank. Checks that are older than this column have none.
alter table bank_checks add column cues jsonb;
