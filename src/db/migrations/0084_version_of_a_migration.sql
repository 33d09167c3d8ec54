-- Which version of the package ran a migration, so that an older one can say which version the database needs. Those before this
-- one have none.
alter table migrations add column version text;
