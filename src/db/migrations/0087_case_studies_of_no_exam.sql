-- The case studies of an import whose files describe no exam. Those of an exam are stored with it.
alter table imports add column case_studies jsonb not null default '[]';
