-- A digest of the opening, as `moves`: games of the same programs on the same sides from the same opening form a cell of the ratings.
ALTER TABLE game ADD COLUMN opening BIGINT;

-- A digest of the built program and its command, and the first submission with the same one: equal programs have one rating.
ALTER TABLE submission ADD COLUMN program TEXT NOT NULL DEFAULT '';
ALTER TABLE submission ADD COLUMN twin BIGINT;
CREATE INDEX submission_program ON submission (program) WHERE program <> '';
CREATE INDEX submission_twin ON submission (id) WHERE twin IS NOT NULL;
