-- Bytes between hosts, and between hosts and the panel: telemetry. The bytes of a stored transfer are a file of the panel; those of a
-- live one, and lines that are shown while they are said, pass through rows that nothing keeps.
CREATE TABLE telemetry.transfer (
  transfer_id uuid   NOT NULL CONSTRAINT transfer_pk PRIMARY KEY,
  mode        text   COLLATE "C" NOT NULL CONSTRAINT transfer_mode_known CHECK (mode IN ('STORED', 'LIVE')),
  -- The task that uploads; null: the panel itself gives the bytes.
  from_task   uuid,
  -- The task that downloads; null: the panel itself takes the bytes.
  to_task     uuid,
  bytes_max   bigint NOT NULL,
  -- The offset of the next byte.
  received    bigint NOT NULL DEFAULT 0,
  -- Null until the end has come.
  size        bigint,
  -- Of a stored one, in hex.
  sha256      text COLLATE "C",
  -- The other side of a live one has left, or it was taken to its end.
  is_over     boolean NOT NULL DEFAULT false,
  at          timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX transfer_from ON telemetry.transfer (from_task);
CREATE INDEX transfer_to ON telemetry.transfer (to_task);
CREATE INDEX transfer_at ON telemetry.transfer (at);
CREATE UNLOGGED TABLE telemetry.live_piece (
  stream_id uuid   NOT NULL,
  -- The offset of its first byte, or the number of its first line.
  place     bigint NOT NULL,
  bytes     bytea  NOT NULL,
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT live_piece_pk PRIMARY KEY (stream_id, place)
);
-- A read that goes on until its callers leave: they extend its time while they are there. `told_at` is the newest contact of the agent.
ALTER TABLE telemetry.ask ADD COLUMN is_follow boolean NOT NULL DEFAULT false, ADD COLUMN told_at timestamptz;
