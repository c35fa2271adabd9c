-- When an API key was last used and from where: a sign of life, not an access log, so no event and no read model. It survives
-- every rebuild. The address is sealed with the key's key. A licensing service keeps nothing here.
CREATE TABLE telemetry.api_key_use (
  api_key_id   uuid        NOT NULL CONSTRAINT api_key_use_pk PRIMARY KEY,
  last_used_at timestamptz NOT NULL,
  last_used_ip text
);
