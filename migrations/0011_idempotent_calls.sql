-- What was asked under an Idempotency-Key, for 24 hours: telemetry, since nobody's history is made of it, but logged, since a
-- restart must not do a call twice. Ids and requests are HMACs, answers are sealed: a key or a body may hold a name or a secret.
CREATE TABLE telemetry.idempotent_call (
  id         text COLLATE "C" NOT NULL CONSTRAINT idempotent_call_pk PRIMARY KEY,
  request    text COLLATE "C" NOT NULL,
  -- Of the request that does it: events name it, so it can be told whether one that died had done anything.
  request_id text COLLATE "C" NOT NULL,
  at         timestamptz NOT NULL,
  -- Null while it is under way.
  answer     text,
  -- Done, in whole or in part, but what was answered is not known.
  lost       boolean NOT NULL DEFAULT false
);
CREATE INDEX idempotent_call_at ON telemetry.idempotent_call (at);
