-- Checks go in turn: when a check of the entrant was last begun.
ALTER TABLE entrant ADD COLUMN checked BIGINT NOT NULL DEFAULT 0;
-- Who asked for an analysis.
ALTER TABLE job ADD COLUMN asked_by BIGINT REFERENCES person (id);
CREATE INDEX job_asked_by ON job (asked_by, created);

-- Analyses come last.
UPDATE job SET priority = 3 WHERE kind = 'analysis';

-- A job that a machine failed at was given up after some attempts. Now it is begun again, unless it was ordered anew or is of no
-- use: pairs of the ladder are made anew by themselves.
UPDATE job SET state = 'waiting', attempts = 1, not_before = 0
WHERE state = 'failed' AND id = (SELECT MAX(other.id) FROM job AS other WHERE other.kind = job.kind AND other.subject = job.subject)
    AND (kind = 'check' AND subject IN (SELECT id FROM submission WHERE state = 'failed')
        OR kind = 'pair' AND subject IN (SELECT id FROM pair WHERE state = 'failed' AND reason <> 'ladder'));
UPDATE submission SET state = 'waiting' WHERE state = 'failed'
    AND id IN (SELECT subject FROM job WHERE kind = 'check' AND state = 'waiting');
UPDATE pair SET state = 'open' WHERE state = 'failed'
    AND id IN (SELECT subject FROM job WHERE kind = 'pair' AND state = 'waiting');
UPDATE game SET analysis = NULL WHERE analysis = 'The analysis failed.';
