-- What a learner says about an answer beside giving it, and how long the question was looked at.

alter table attempt_answers
  add column note text not null default '' check (char_length(note) <= 2000),
  add column confidence text check (confidence in ('sure', 'unsure')),
  add column active_ms integer not null default 0 check (active_ms >= 0);
