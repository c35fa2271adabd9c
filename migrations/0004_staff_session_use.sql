-- When a session of staff was last used, to the minute: a sign of life, so no event and no read model. It survives every rebuild.
CREATE TABLE telemetry.staff_session_use (
  session_id   uuid        NOT NULL CONSTRAINT staff_session_use_pk PRIMARY KEY,
  last_used_at timestamptz NOT NULL
);
