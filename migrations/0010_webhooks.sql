-- Webhooks: what is to be told to whom. The log says what happened; this says what became of telling it, for 30 days.

-- One row for each event and webhook. `id` is what the receiver sees, the same at every attempt.
CREATE TABLE telemetry.webhook_delivery (
  id           uuid NOT NULL CONSTRAINT webhook_delivery_pk PRIMARY KEY,
  webhook_id   uuid NOT NULL,
  -- Of the event: in this order a subject's deliveries are made.
  position     bigint NOT NULL,
  type         text COLLATE "C" NOT NULL,
  subject_type text COLLATE "C" NOT NULL,
  subject_id   text COLLATE "C" NOT NULL,
  -- The very bytes that are signed and sent.
  payload      text NOT NULL,
  is_ping      boolean NOT NULL,
  -- Neither waits for others of its subject nor has them wait: pings, and what was asked for again.
  out_of_turn  boolean NOT NULL,
  status       text COLLATE "C" NOT NULL DEFAULT 'WAITING' CONSTRAINT webhook_delivery_status CHECK (status IN ('WAITING', 'DELIVERED', 'FAILED')),
  attempts     int NOT NULL DEFAULT 0,
  attempts_max int NOT NULL,
  -- While it is tried, the moment from which whoever tries it is taken for dead.
  next_at      timestamptz,
  trying_until timestamptz,
  created_at   timestamptz NOT NULL,
  delivered_at timestamptz,
  -- The newest 50: when, with what status or error, and how long it took.
  tries        jsonb NOT NULL DEFAULT '[]',
  -- The position of the newest request to repeat it.
  repeated     bigint NOT NULL DEFAULT 0,
  CONSTRAINT webhook_delivery_once UNIQUE (webhook_id, position)
);
CREATE INDEX webhook_delivery_due ON telemetry.webhook_delivery (webhook_id, next_at, position) WHERE status = 'WAITING';
CREATE INDEX webhook_delivery_turn ON telemetry.webhook_delivery (webhook_id, subject_type, subject_id, position) WHERE status = 'WAITING';
CREATE INDEX webhook_delivery_tried ON telemetry.webhook_delivery (webhook_id) WHERE trying_until IS NOT NULL;
CREATE INDEX webhook_delivery_list ON telemetry.webhook_delivery (webhook_id, created_at, id);
CREATE INDEX webhook_delivery_age ON telemetry.webhook_delivery (created_at);
CREATE INDEX webhook_delivery_failed ON telemetry.webhook_delivery (webhook_id) WHERE status = 'FAILED';

-- Since when every attempt of a webhook has failed; no row for one whose last attempt did not.
CREATE TABLE telemetry.webhook_failing (
  webhook_id uuid NOT NULL CONSTRAINT webhook_failing_pk PRIMARY KEY,
  since      timestamptz NOT NULL
);
