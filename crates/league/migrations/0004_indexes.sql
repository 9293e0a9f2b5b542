-- What pages ask for without reading whole tables: the final, and requests for unrated games.
CREATE INDEX pair_final ON pair (id) WHERE reason = 'final';
CREATE INDEX pair_asked ON pair (created) WHERE state = 'asked';
