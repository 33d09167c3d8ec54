-- The scenarios that questions of an exam share, beside the questions that name them: { id, title, tabs: [{ id, title, body }] }.
alter table test_questions add column case_studies jsonb not null default '[]';
alter table exam_drafts add column case_studies jsonb not null default '[]';
