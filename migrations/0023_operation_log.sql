-- What operations say while they run: telemetry, since the events of an operation are its history. Each line is sealed with the key of
-- the subject, so that erasing the subject erases the lines.
CREATE TABLE telemetry.operation_log (
  operation_id uuid NOT NULL,
  nth          int  NOT NULL,
  line         text NOT NULL,
  at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT operation_log_pk PRIMARY KEY (operation_id, nth)
);
CREATE INDEX operation_log_at ON telemetry.operation_log (at);
