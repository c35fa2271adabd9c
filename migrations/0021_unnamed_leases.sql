-- A heartbeat that names no lease may come from a panel whose answer was lost, or from one of two panels with one key. One that comes
-- before the last answer let the next be awaited (`due_at`) is counted, at most once for each time between two heartbeats.
ALTER TABLE telemetry.heartbeat
  ADD COLUMN due_at timestamptz,
  ADD COLUMN unnamed_at timestamptz,
  ADD COLUMN unnamed smallint NOT NULL DEFAULT 0;
