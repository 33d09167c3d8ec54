-- Why a check of the question bank failed: its process reached its memory limit, or something broke.
alter table bank_checks add column failure text check (failure in ('memory', 'broken'));
