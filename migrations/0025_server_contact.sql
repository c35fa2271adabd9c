-- The newest contact of each server's agent: telemetry, since only the ends of a silence are history. `run` is the process of the agent,
-- and `beat` what it last told of its host. A licensing service keeps nothing here.
CREATE TABLE telemetry.server_contact (
  server_id uuid        NOT NULL CONSTRAINT server_contact_pk PRIMARY KEY,
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  run       uuid        NOT NULL,
  -- The processes that it has replaced, the newest first.
  superseded uuid[]     NOT NULL DEFAULT '{}',
  -- Those of them that called again within the hour before `stray_at`: two are a copy of the host.
  strays    uuid[]      NOT NULL DEFAULT '{}',
  stray_at  timestamptz,
  beat      jsonb
);
-- Since when some process of the panel has listened without a break: the silence of agents counts from then on.
CREATE TABLE telemetry.agents_heard (
  only_one boolean     NOT NULL DEFAULT true CONSTRAINT agents_heard_pk PRIMARY KEY CHECK (only_one),
  since    timestamptz NOT NULL,
  at       timestamptz NOT NULL
);
