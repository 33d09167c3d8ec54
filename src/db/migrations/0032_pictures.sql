-- Pictures of questions, redrawn from what was sent and named by what they hold, so the same one lies here once.
create table pictures (
  -- SHA-256 of the bytes below; part of the address, so an address always shows the same picture.
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  -- SHA-256 of the file as it was sent: who sends it again gets the address that there is.
  source_id text not null check (source_id ~ '^[0-9a-f]{64}$'),
  content_type text not null check (content_type = 'image/webp'),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes bytea not null,
  made_by uuid references users (id) on delete set null,
  made_at timestamptz not null
);
create index pictures_source on pictures (source_id);
