-- Every order names the provider that takes its payment. All orders before this one used Stripe; a new order has to say it.
alter table orders add column provider text not null default 'stripe';
alter table orders alter column provider drop default;
