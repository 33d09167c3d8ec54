-- The refund that waits for the payment service, by its key, and since when. Another refund of the order waits for its answer.
alter table orders add column refunding_key uuid, add column refunding_at timestamptz;
