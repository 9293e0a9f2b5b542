-- What ran a program in its check, as `intake::runtime` has it; empty for older submissions.
ALTER TABLE submission ADD COLUMN runtime TEXT NOT NULL DEFAULT '';
