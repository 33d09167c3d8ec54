-- The courses that a file describes, with the exams that it puts into them.
alter table imports add column courses jsonb not null default '[]';
