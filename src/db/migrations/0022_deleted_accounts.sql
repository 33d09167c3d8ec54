-- When somebody deleted their account. The row stays without name and address, because their orders, which the books need,
-- point to it.
alter table users add column deleted_at timestamptz;
