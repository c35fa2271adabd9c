-- Events that a read model could not apply, and those of the same stream that wait behind them, in order. Only the first of a
-- stream has an error. The count stands beside the checkpoint and moves with it, so that nobody who has read how far a read
-- model is can miss what it left out.
CREATE TABLE read.parked (
  projection text COLLATE "C" NOT NULL,
  position   bigint NOT NULL,
  stream     text COLLATE "C" NOT NULL,
  error      text,
  parked_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT parked_pk PRIMARY KEY (projection, position)
);
CREATE INDEX parked_stream ON read.parked (projection, stream, position);

ALTER TABLE read.projection ADD COLUMN parked int NOT NULL DEFAULT 0;
