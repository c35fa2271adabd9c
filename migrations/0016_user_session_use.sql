-- When a session of the panel was last used, to the minute: a sign of life, so no event and no read model. It survives every rebuild.
-- A licensing service keeps nothing here.
CREATE TABLE telemetry.user_session_use (
  session_id   uuid        NOT NULL CONSTRAINT user_session_use_pk PRIMARY KEY,
  last_used_at timestamptz NOT NULL
);
