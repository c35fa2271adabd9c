-- What a bulk action is to be done to, and what became of it: telemetry, since the events of what it did are the history. It lets
-- a worker go on where another was killed.
CREATE TABLE telemetry.bulk_item (
  bulk_id uuid NOT NULL,
  nth     int  NOT NULL,
  target  uuid NOT NULL,
  status  text COLLATE "C" NOT NULL DEFAULT 'PENDING',
  message text,
  at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT bulk_item_pk PRIMARY KEY (bulk_id, nth)
);
CREATE INDEX bulk_item_pending ON telemetry.bulk_item (bulk_id, nth) WHERE status = 'PENDING';
CREATE INDEX bulk_item_at ON telemetry.bulk_item (at);
