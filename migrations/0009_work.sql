-- What follows events, and what is to be done at times. The queue only wakes workers up: whatever must not be lost is here, so that
-- an emptied queue is filled again. Names are those of reactions and timers.

-- How far each reaction has been told. It moves in the transaction that writes down what it was told.
CREATE TABLE telemetry.work_reaction (
  name     text COLLATE "C" NOT NULL CONSTRAINT work_reaction_pk PRIMARY KEY,
  position bigint NOT NULL
);

-- The events that a reaction was told of and has not dealt with. Only where they are: what they say stays in the log.
CREATE TABLE telemetry.work_pending (
  reaction text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  since    timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT work_pending_pk PRIMARY KEY (reaction, position)
);

-- What was tried and failed, until it succeeds. `key` is an event's position, or what a timer is due for.
CREATE TABLE telemetry.work_failure (
  name     text COLLATE "C" NOT NULL,
  key      text COLLATE "C" NOT NULL,
  failures int  NOT NULL DEFAULT 1,
  error    text NOT NULL,
  since    timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT work_failure_pk PRIMARY KEY (name, key)
);

-- What was done outside the database, so that it is not done again.
CREATE TABLE telemetry.work_effect (
  effect text COLLATE "C" NOT NULL CONSTRAINT work_effect_pk PRIMARY KEY,
  at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX work_effect_at ON telemetry.work_effect (at);

-- When a worker last looked for what is due, and what it found: for figures, and so that one looks and the others need not.
CREATE TABLE telemetry.work_look (
  name      text COLLATE "C" NOT NULL CONSTRAINT work_look_pk PRIMARY KEY,
  at        timestamptz NOT NULL,
  due       int NOT NULL DEFAULT 0,
  oldest_at timestamptz
);

-- BullMQ keeps its jobs in a schema of its own; "daybook migrate" makes that after these. Whoever acts as this role can touch
-- nothing else. Roles belong to the whole cluster: see 0001.
DO $$
DECLARE
  v_may text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
  FOR v_try IN 1..20 LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'daybook_queue') THEN
        CREATE ROLE daybook_queue NOLOGIN;
      END IF;
      IF NOT (pg_has_role(current_user, 'daybook_queue', v_may) AND pg_has_role(current_user, 'daybook_queue', 'USAGE')) THEN
        EXECUTE format('GRANT daybook_queue TO %I', current_user);
      END IF;
      EXIT;
    EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
      IF v_try = 20 THEN RAISE; END IF;
      PERFORM pg_sleep(0.05);
    END;
  END LOOP;
END $$;
