-- A payment is decided on what was read without a lock, and written by one statement, which first compares that with the present.

-- Changes whenever a period of this user and course is added, moved, revoked or deleted.
create function access_version(holder uuid, course uuid) returns text language sql stable as $$
  select coalesce(string_agg(id || ' ' || xmin, ',' order by id), '')
  from access_periods where user_id = holder and course_id = course
$$;

-- Grants to one user for one course take turns under this lock. Being volatile, the function sees what was committed before it got
-- the lock, which the statement that calls it does not.
create function lock_access(holder uuid, course uuid) returns text language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(holder || ':' || course, 0));
  return access_version(holder, course);
end $$;
