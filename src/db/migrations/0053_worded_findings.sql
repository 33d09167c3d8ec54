-- A finding is stored as its code with the facts that its sentence names. Sentences that were stored before stay.
alter table bank_findings add column facts jsonb not null default '[]';
alter table bank_findings alter column facts drop default;
alter table bank_findings alter column sentence drop not null;
