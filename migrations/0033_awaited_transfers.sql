-- Whether its task waits until the panel itself has stored all of it.
ALTER TABLE telemetry.transfer ADD COLUMN is_awaited boolean NOT NULL DEFAULT false;
