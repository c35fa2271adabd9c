-- Guesses at secrets: telemetry, since nobody's history is made of them, but logged, since a restart must not forgive them.
-- `recent` holds the times inside the policy's window, so a limit holds in every window and not only in those that begin at
-- a round time. Space is left on each page for the next version of a row.
CREATE TABLE telemetry.attempt (
  key text COLLATE "C" PRIMARY KEY,
  consecutive integer NOT NULL,
  recent timestamptz[] NOT NULL,
  last_at timestamptz NOT NULL
) WITH (fillfactor = 70);
