-- What an admin ended stays ended when the dispute about its order is won later.
alter table access_periods add column ended_by_hand boolean not null default false;
