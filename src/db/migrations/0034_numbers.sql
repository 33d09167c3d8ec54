-- What the statistics of an exam, the dashboard and the analytics ask for, by exam and by day.

create index attempts_finished_family on attempts (family_id, finished_at) where state = 'finished';
create index attempts_started on attempts (started_at) include (course_id, user_id, guest_id, mode);
create index attempts_finished on attempts (finished_at) include (course_id, user_id, mode, is_passed) where state = 'finished';
create index orders_paid on orders (paid_at) include (total_cents, is_live) where paid_at is not null;
create index orders_live on orders (is_live) where is_live;
create index order_lines_course on order_lines (course_id, order_id);
-- Moves at which money went back, or may have.
create index order_moves_refunds on order_moves (at) where to_state = 'refunded' or detail ? 'refundedCents';
