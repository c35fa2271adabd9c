-- What tasks of servers say while they run: telemetry, since the events of a task are its
-- history. The agent has taken the secrets out of the lines.
CREATE TABLE telemetry.task_progress (
  task_id  uuid NOT NULL CONSTRAINT task_progress_pk PRIMARY KEY,
  -- The first line that is not here.
  next_seq int NOT NULL DEFAULT 1,
  -- Of the lines that are kept.
  bytes    bigint NOT NULL DEFAULT 0,
  -- Lines that were removed from the middle, because the log is too long.
  cut      int NOT NULL DEFAULT 0,
  percent  real,
  at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX task_progress_at ON telemetry.task_progress (at);
CREATE TABLE telemetry.task_line (
  task_id uuid NOT NULL,
  seq     int NOT NULL,
  at      timestamptz NOT NULL,
  source  text COLLATE "C" NOT NULL,
  line    text NOT NULL,
  CONSTRAINT task_line_pk PRIMARY KEY (task_id, seq)
);
-- Reads of hosts that are awaited: nothing of them is kept.
CREATE UNLOGGED TABLE telemetry.ask (
  ask_id       uuid NOT NULL CONSTRAINT ask_pk PRIMARY KEY,
  server_id    uuid NOT NULL,
  kind         text COLLATE "C" NOT NULL,
  kind_version int NOT NULL,
  params       jsonb NOT NULL,
  expires_at   timestamptz NOT NULL,
  -- The process of the agent that has it.
  handed_to    uuid,
  answer       jsonb
);
CREATE INDEX ask_server ON telemetry.ask (server_id) WHERE handed_to IS NULL;
