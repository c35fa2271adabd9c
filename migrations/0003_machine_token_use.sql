-- When a machine token was last used and from where: a sign of life, not an access log, so no event and no read model. It
-- survives every rebuild. The address is sealed with the token's key.
CREATE TABLE telemetry.machine_token_use (
  token_id     uuid        NOT NULL CONSTRAINT machine_token_use_pk PRIMARY KEY,
  last_used_at timestamptz NOT NULL,
  last_used_ip text
);
