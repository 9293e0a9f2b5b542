-- A digest of the opening, as `moves`: games of the same programs on the same sides from the same opening form a cell of the ratings.
ALTER TABLE game ADD COLUMN opening BIGINT;
