-- The admin's list of courses by price (by title: 0038), and what hangs on one course.
create index courses_listed_by_price on courses (price desc, id);
create index attempts_of_course on attempts (course_id);
create index access_periods_of_course on access_periods (course_id);
