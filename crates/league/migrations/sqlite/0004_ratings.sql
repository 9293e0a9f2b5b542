-- Ratings are computed from all games, and nothing is kept of them but what the pages plot: the ratings before a game in `game`, and
-- the last ones in `trail`.
ALTER TABLE submission DROP COLUMN rating;
ALTER TABLE submission DROP COLUMN deviation;
ALTER TABLE submission DROP COLUMN prior;
ALTER TABLE submission DROP COLUMN prior_deviation;
UPDATE submission SET trail = '';
DELETE FROM setting WHERE key = 'scale';

-- The first 64 bits of the SHA-256 of the opening and the moves: the same game again is no new evidence. Games from before have none.
ALTER TABLE game ADD COLUMN moves BIGINT;
