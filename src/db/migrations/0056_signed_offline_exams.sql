-- From now on an offline exam is signed when it is issued, and its attempt brings the signature back. Attempts at exams that were
-- issued before count for 30 days after this migration, by these rows.
comment on table issued_offline_exams is 'Offline exams whose attempts need no signature, for 30 days after migration 0056';
