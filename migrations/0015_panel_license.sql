-- What a panel remembers of its license between two heartbeats, sealed as a whole: it is no history, and survives every rebuild.
-- A licensing service keeps nothing here.
CREATE TABLE telemetry.panel_license (
  id      boolean     NOT NULL DEFAULT true CONSTRAINT panel_license_pk PRIMARY KEY CONSTRAINT panel_license_one CHECK (id),
  memory  text        NOT NULL,
  -- When the licensing service is to be asked, and when what is known turns into something else by itself.
  ask_at  timestamptz,
  look_at timestamptz,
  -- How often in a row an activation has failed.
  tries   integer     NOT NULL DEFAULT 0
);
