-- Which courses and exams of this shop came from the catalogue in content/, and the texts that the catalogue had when they were
-- laid in: for each field and question the hashes, with the time of each. A text of the shop that is none of them was changed here.
-- Shops that are older than this table get their rows at the first update of the catalogue. Rows outlive what they name, so that a
-- course or an exam that was deleted here does not come back.
create table catalogue_origins (
  kind text not null check (kind in ('course', 'exam')),
  -- In the catalogue. The shop may have given another.
  slug text not null,
  -- The course, or the first version of the exam.
  shop_id uuid not null,
  texts jsonb not null,
  primary key (kind, slug)
);
create index catalogue_origins_shop on catalogue_origins (shop_id);
