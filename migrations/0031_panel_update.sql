-- What the licensing service last offered to this panel, and when it is asked again: telemetry, since what was found is history. There
-- is one row once a license key was set. A licensing service keeps nothing here.
CREATE TABLE telemetry.panel_update (
  id         boolean NOT NULL DEFAULT true CONSTRAINT panel_update_pk PRIMARY KEY CONSTRAINT panel_update_one CHECK (id),
  -- Null: no check is due.
  next_at    timestamptz,
  checked_at timestamptz,
  -- Why the last check failed. Null: it did not.
  problem    text,
  offered    jsonb NOT NULL DEFAULT '[]'
);
