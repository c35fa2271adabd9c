-- What agents last listed on their hosts, so that a reap takes what its caller has seen: telemetry, kept for a day. A licensing
-- service keeps nothing here.
CREATE TABLE telemetry.reaper_scan (
  scan_id uuid        NOT NULL CONSTRAINT reaper_scan_pk PRIMARY KEY,
  at      timestamptz NOT NULL,
  servers jsonb       NOT NULL
);
CREATE INDEX reaper_scan_at ON telemetry.reaper_scan (at);
