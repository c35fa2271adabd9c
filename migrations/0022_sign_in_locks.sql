-- Which accounts only a new password or an operator lets in again, for operators to see: telemetry, like the counters. `account` is the
-- realm and the id, such as `STAFF 0190…`, and names nobody. Null for names that no account has, and for what was locked before.
ALTER TABLE telemetry.attempt
  ADD COLUMN account   text COLLATE "C",
  ADD COLUMN locked_at timestamptz;

-- The bounds of that version: 100 wrong passwords in a row, 20 wrong codes.
UPDATE telemetry.attempt SET locked_at = last_at
WHERE (starts_with(key, 'password:') AND consecutive >= 100)
   OR (starts_with(key, 'second-factor:') AND consecutive >= 20);

-- Asked at every reading of the figures. Counting a failure changes no column of it, so that the row's next version stays on its page.
CREATE INDEX attempt_locked ON telemetry.attempt (locked_at) WHERE locked_at IS NOT NULL;
