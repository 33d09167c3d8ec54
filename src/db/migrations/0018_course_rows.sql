-- What a page of the list asks for each row: whether the same owner has a newer course of this title.
create index courses_title on courses (title, user_id, created_at desc) where status = 'published';
create index test_questions_current on test_questions (course_id, position, id) where is_current_version;
