-- How many processes died while they read an import: it is read again by another one, but not for ever.
alter table imports add column lost_readers integer not null default 0;
