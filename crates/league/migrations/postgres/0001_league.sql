-- Times are milliseconds since 1970, flags are 0 or 1, hashes are hexadecimal SHA-256.
-- migrations/sqlite has the same tables.

-- What the staff sets while the league runs: see store/settings.rs.
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Whoever plays: a student, a team, or a baseline. `active` is the submission that plays, `checked` when a check of the entrant was
-- last begun: checks go in turn. `deadline` is one of the entrant's own, later than that of the league.
CREATE TABLE entrant (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('student', 'team', 'baseline')),
    active BIGINT,
    checked BIGINT NOT NULL DEFAULT 0,
    deadline BIGINT
);

-- Whoever signs in. Students and teams have an entrant, the staff has none.
CREATE TABLE person (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    login TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('student', 'assistant', 'teacher')),
    entrant BIGINT REFERENCES entrant (id)
);

-- One-time links, sessions of browsers, tokens of scripts and addresses of feeds; only their hashes.
CREATE TABLE credential (
    hash TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'session', 'token', 'worker', 'feed')),
    person BIGINT REFERENCES person (id),
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX credential_person ON credential (person);

-- Everything that was handed in. `trail` has the last ratings, separated by blanks. `debt` are the seconds of wall time that its
-- turns have taken above its share of the workers, at the time `counted`. `faults` counts games that were lost by faults, one right after the other.
CREATE TABLE submission (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entrant BIGINT NOT NULL REFERENCES entrant (id),
    person BIGINT REFERENCES person (id),
    number BIGINT NOT NULL,
    received BIGINT NOT NULL,
    late BIGINT NOT NULL,
    file_name TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'plays', 'refused', 'withdrawn')),
    language TEXT NOT NULL,
    command TEXT NOT NULL,
    verdict TEXT NOT NULL,
    report TEXT NOT NULL,
    faults BIGINT NOT NULL,
    paused TEXT,
    trail TEXT NOT NULL,
    counted BIGINT NOT NULL,
    debt DOUBLE PRECISION NOT NULL,
    UNIQUE (entrant, number)
);

ALTER TABLE entrant ADD FOREIGN KEY (active) REFERENCES submission (id);

-- Two games from the same opening, with sides swapped. One that is `asked` for waits until the other player agrees.
CREATE TABLE pair (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reason TEXT NOT NULL CHECK (reason IN ('ladder', 'challenge', 'final', 'unrated')),
    one BIGINT NOT NULL REFERENCES submission (id),
    other BIGINT NOT NULL REFERENCES submission (id),
    seed BIGINT NOT NULL,
    asked_by BIGINT REFERENCES person (id),
    created BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('asked', 'open', 'done', 'failed'))
);
CREATE INDEX pair_open ON pair (id) WHERE state = 'open';
CREATE INDEX pair_one ON pair (one);
CREATE INDEX pair_other ON pair (other);
CREATE INDEX pair_asked_by ON pair (asked_by, created);

-- Results. `first` and `second` are the submissions by side; `winner` and `blamed` are 0 and 1 for them. Of ratings nothing is kept
-- but what the pages plot: those before the game. `moves` are the first 64 bits of the SHA-256 of the opening and the moves: the same
-- game again is no new evidence.
CREATE TABLE game (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pair BIGINT NOT NULL REFERENCES pair (id),
    half BIGINT NOT NULL,
    first BIGINT NOT NULL REFERENCES submission (id),
    second BIGINT NOT NULL REFERENCES submission (id),
    winner BIGINT,
    blamed BIGINT,
    termination TEXT NOT NULL,
    reason TEXT NOT NULL,
    plies BIGINT NOT NULL,
    first_cpu DOUBLE PRECISION NOT NULL,
    second_cpu DOUBLE PRECISION NOT NULL,
    wall DOUBLE PRECISION NOT NULL,
    ended BIGINT NOT NULL,
    first_rating DOUBLE PRECISION NOT NULL,
    second_rating DOUBLE PRECISION NOT NULL,
    analysis TEXT,
    moves BIGINT,
    UNIQUE (pair, half)
);
CREATE INDEX game_first ON game (first, id);
CREATE INDEX game_second ON game (second, id);

-- Work for the workers. `subject` is a submission to check, or a pair to play or to analyse. Whoever has the lease reports
-- its progress and result; after `lease_until` the job is given to another worker. `asked_by` asked
-- for an analysis.
CREATE TABLE job (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('check', 'pair', 'analysis')),
    subject BIGINT NOT NULL,
    priority BIGINT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'leased', 'done', 'failed')),
    created BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    lease TEXT,
    lease_until BIGINT NOT NULL,
    worker TEXT NOT NULL,
    progress TEXT NOT NULL,
    note TEXT NOT NULL,
    asked_by BIGINT REFERENCES person (id)
);
CREATE INDEX job_state ON job (state, priority, id);
CREATE INDEX job_subject ON job (kind, subject);
CREATE INDEX job_asked_by ON job (asked_by, created);

-- What the staff did, and what the league did by itself.
CREATE TABLE audit (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    person BIGINT REFERENCES person (id),
    action TEXT NOT NULL,
    detail TEXT NOT NULL
);

-- What people write about a submission. `asks` is 1 where a student asks the staff to look again.
CREATE TABLE remark (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    submission BIGINT NOT NULL REFERENCES submission (id),
    person BIGINT NOT NULL REFERENCES person (id),
    at BIGINT NOT NULL,
    text TEXT NOT NULL,
    asks BIGINT NOT NULL
);
CREATE INDEX remark_submission ON remark (submission, id);
CREATE INDEX remark_person ON remark (person, at);
