-- What panels leave behind that is no history: telemetry, which survives every rebuild.

-- The last sign of life of every instance, and the lease that it was given last. `paid_until` is the limit on heartbeats (see
-- telemetry.rate). Space is left on each page for the next version of a row, which is written at every heartbeat.
CREATE TABLE telemetry.heartbeat (
  instance_id uuid        NOT NULL CONSTRAINT heartbeat_pk PRIMARY KEY,
  at          timestamptz NOT NULL,
  lease       text COLLATE "C" NOT NULL,
  -- The lease that the last heartbeat went on from, and whether it was another one than had been given last: two panels have one key.
  prev        text COLLATE "C",
  forked      boolean     NOT NULL DEFAULT false,
  usage       jsonb,
  paid_until  timestamptz NOT NULL
) WITH (fillfactor = 60);

-- What was signed with which nonce, as one hash, so that it is done once. Logged: a restart must not forgive a replay. Rows are of
-- one size, only who holds a key writes any, and nobody reads those that are older than signatures can be.
CREATE TABLE telemetry.request_nonce (
  hash bytea       NOT NULL CONSTRAINT request_nonce_pk PRIMARY KEY,
  at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX request_nonce_at ON telemetry.request_nonce USING brin (at) WITH (pages_per_range = 16);

-- How often something may be done: each time costs its share of a period, which is paid in advance (a leaky bucket in one date).
CREATE TABLE telemetry.rate (
  key        text COLLATE "C" NOT NULL CONSTRAINT rate_pk PRIMARY KEY,
  paid_until timestamptz NOT NULL
) WITH (fillfactor = 70);
