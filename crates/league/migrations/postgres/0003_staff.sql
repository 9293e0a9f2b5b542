-- A deadline of its own, later than that of the league.
ALTER TABLE entrant ADD COLUMN deadline BIGINT;

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
