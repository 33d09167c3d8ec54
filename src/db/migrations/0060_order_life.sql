-- Until when a pending order can be paid. Null once its payment is on its way or decided.
alter table orders add column payable_until timestamptz;
-- Sessions of the payment page expire after 24 hours. The next check of an order replaces this by the gateway's own time.
update orders set payable_until = created_at + interval '24 hours' where state = 'pending' and gateway_session_id is not null;

-- The admin who asked for a partial refund that also ends the access. Cleared when the refund is recorded.
alter table orders add column ending_access_by uuid references users (id) on delete set null;
