-- Folded states of long streams, sealed as a whole. The events can bring every one of them back, so any row may go at any time.
CREATE TABLE read.snapshot (
  stream   text COLLATE "C" NOT NULL CONSTRAINT snapshot_pk PRIMARY KEY,
  version  int    NOT NULL,
  revision int    NOT NULL,
  position bigint NOT NULL,
  event_id uuid   NOT NULL,
  state    text   NOT NULL
);
