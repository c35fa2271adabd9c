-- What cannot be rebuilt: the event log with its claims and its chain, the wrapped data keys, telemetry. And who may touch it.

DO $$
BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'This database is encoded in %, Daybook needs UTF8', current_setting('server_encoding')
      USING HINT = 'Make one with: CREATE DATABASE … TEMPLATE template0 ENCODING ''UTF8''';
  END IF;
END $$;

CREATE SCHEMA store;
CREATE SCHEMA vault;
CREATE SCHEMA read;
CREATE SCHEMA telemetry;

-- Roles belong to the whole cluster, and neither advisory locks nor IF NOT EXISTS reach over databases: two databases migrated
-- at once collide here, and the one that lost looks again. USAGE and SET are asked for because Postgres 16 makes the creator
-- of a role its administrator without either.
DO $$
DECLARE
  v_role text;
  v_may text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
  FOREACH v_role IN ARRAY ARRAY['daybook_service', 'daybook_projector'] LOOP
    FOR v_try IN 1..20 LOOP
      BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = v_role) THEN
          EXECUTE format('CREATE ROLE %I NOLOGIN', v_role);
        END IF;
        IF NOT (pg_has_role(current_user, v_role, v_may) AND pg_has_role(current_user, v_role, 'USAGE')) THEN
          EXECUTE format('GRANT %I TO %I', v_role, current_user);
        END IF;
        EXIT;
      EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
        IF v_try = 20 THEN RAISE; END IF;
        PERFORM pg_sleep(0.05);
      END;
    END LOOP;
  END LOOP;
END $$;

-- pos is contiguous: store.append assigns it under one lock that Postgres releases only after the commit is visible, so position
-- order is commit order is visibility order. json, not jsonb: the chain covers the exact bytes that were appended.
CREATE TABLE store.event (
  pos            bigint      NOT NULL CONSTRAINT event_pk PRIMARY KEY,
  recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  revision       int         NOT NULL,
  id             uuid        NOT NULL CONSTRAINT event_id UNIQUE,
  stream         text COLLATE "C" NOT NULL,
  type           text COLLATE "C" NOT NULL,
  schema_version int         NOT NULL,
  data           json        NOT NULL,
  metadata       json        NOT NULL,
  CONSTRAINT event_stream_revision UNIQUE (stream, revision)
);

CREATE TABLE store.claim (
  scope  text COLLATE "C" NOT NULL,
  key    text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  pos    bigint NOT NULL,
  CONSTRAINT claim_pk PRIMARY KEY (scope, key)
);

-- One row per append: the sha256 of the previous hash and of the canonical bytes of every event of the append.
CREATE TABLE store.chain (
  to_pos bigint NOT NULL CONSTRAINT chain_pk PRIMARY KEY,
  hash   bytea  NOT NULL
);

CREATE FUNCTION store.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The event log is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON store.event
  FOR EACH STATEMENT EXECUTE FUNCTION store.refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON store.chain
  FOR EACH STATEMENT EXECUTE FUNCTION store.refuse_change();
-- ALWAYS: session_replication_role = replica must not be a way around.
ALTER TABLE store.event ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE store.chain ENABLE ALWAYS TRIGGER append_only;

-- No field can hold a separator: streams and types are refused with control characters, JSON text never contains them raw.
CREATE FUNCTION store.canonical(e store.event) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(E'\x1f', e.pos, (extract(epoch FROM e.recorded_at) * 1000000)::bigint, e.revision, e.id, e.stream, e.type,
    e.schema_version, e.data::text, e.metadata::text)
$$;

-- One append of several parts, whole or not at all, in one round trip. It checks everything before it writes anything.
-- Outcomes: 'appended' (o_position, o_revisions) · 'revision' (part o_place is at revision o_found) · 'claim' (claim o_place of
-- p_take is held by o_found) · 'id' (event id o_found is in use elsewhere).
-- Needs READ COMMITTED: each statement below sees what earlier holders of the lock have committed.
CREATE FUNCTION store.append(
  p_streams text[], p_expected bigint[],
  p_part int[], p_nth int[], p_ids uuid[], p_types text[], p_schema_versions int[], p_data text, p_metadata text,
  p_release json, p_take json,
  OUT outcome text, OUT o_position bigint, OUT o_revisions int[], OUT o_place int, OUT o_found text
) LANGUAGE plpgsql
-- A plan made while the tables were small must not read them whole for as long as a connection lives: every look-up is by key.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  v_current int[];
  v_head bigint;
  v_now timestamptz;
  v_explained boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(4115297);

  v_current := ARRAY(
    SELECT coalesce((SELECT max(e.revision) FROM store.event e WHERE e.stream = p.stream), 0)
    FROM unnest(p_streams) WITH ORDINALITY AS p(stream, part) ORDER BY p.part);

  SELECT e.id::text INTO o_found FROM store.event e WHERE e.id = ANY (p_ids) LIMIT 1;
  IF FOUND THEN
    SELECT coalesce(bool_and(coalesce(s.stream = p_streams[s.part] AND s.revision = s.start + s.nth, false)), false), max(s.pos)
      INTO v_explained, o_position
      FROM (
        SELECT a.part, a.nth, e.pos, e.stream, e.revision,
          CASE WHEN p_expected[a.part] >= 0 THEN p_expected[a.part]
            ELSE first_value(e.revision) OVER (PARTITION BY a.part ORDER BY a.nth) - 1 END AS start
        FROM unnest(p_part, p_nth, p_ids) AS a(part, nth, id) LEFT JOIN store.event e USING (id)
      ) AS s;
    IF v_explained THEN
      o_revisions := ARRAY(
        SELECT coalesce((
            SELECT max(e.revision) FROM unnest(p_part, p_ids) AS a(part, id) JOIN store.event e USING (id) WHERE a.part = n
          ), v_current[n])
        FROM generate_subscripts(p_streams, 1) AS n ORDER BY n);
      outcome := 'appended';
      RETURN;
    END IF;
  END IF;

  SELECT n, v_current[n] INTO o_place, o_found
    FROM generate_subscripts(p_streams, 1) AS n WHERE p_expected[n] >= 0 AND p_expected[n] <> v_current[n] ORDER BY n LIMIT 1;
  IF FOUND THEN
    outcome := 'revision';
    RETURN;
  END IF;

  IF p_take IS NOT NULL THEN
    SELECT t.place, c.holder INTO o_place, o_found
      FROM ROWS FROM (json_to_recordset(p_take) AS (scope text, key text, holder text)) WITH ORDINALITY AS t(scope, key, holder, place)
      JOIN store.claim c ON c.scope = t.scope AND c.key = t.key
      WHERE NOT EXISTS (
        SELECT FROM json_to_recordset(p_release) AS r(scope text, key text, holder text)
        WHERE r.scope = c.scope AND r.key = c.key AND r.holder = c.holder)
      ORDER BY t.place LIMIT 1;
    IF FOUND THEN
      outcome := 'claim';
      RETURN;
    END IF;
  END IF;

  SELECT e.id::text INTO o_found FROM store.event e WHERE e.id = ANY (p_ids) LIMIT 1;
  IF FOUND THEN
    outcome := 'id';
    RETURN;
  END IF;

  -- greatest: a clock that was set back must not make a later event look earlier; order itself never asks the clock.
  SELECT e.pos, greatest(e.recorded_at, clock_timestamp()) INTO v_head, v_now FROM store.event e ORDER BY e.pos DESC LIMIT 1;
  v_head := coalesce(v_head, 0);

  INSERT INTO store.event (pos, recorded_at, revision, id, stream, type, schema_version, data, metadata)
    SELECT v_head + a.n, coalesce(v_now, clock_timestamp()), v_current[a.part] + a.nth, a.id, p_streams[a.part], a.type,
      a.schema_version, a.data::json, a.metadata::json
    FROM unnest(p_part, p_nth, p_ids, p_types, p_schema_versions, string_to_array(p_data, E'\x1f'),
      string_to_array(p_metadata, E'\x1f')) WITH ORDINALITY AS a(part, nth, id, type, schema_version, data, metadata, n)
    ORDER BY a.n;
  o_position := v_head + cardinality(p_ids);
  o_revisions := ARRAY(
    SELECT v_current[n] + (SELECT count(*)::int FROM unnest(p_part) AS a(part) WHERE a.part = n)
    FROM generate_subscripts(p_streams, 1) AS n ORDER BY n);

  IF p_release IS NOT NULL THEN
    DELETE FROM store.claim c USING json_to_recordset(p_release) AS r(scope text, key text, holder text)
      WHERE c.scope = r.scope AND c.key = r.key AND c.holder = r.holder;
  END IF;
  IF p_take IS NOT NULL THEN
    INSERT INTO store.claim (scope, key, holder, pos)
      SELECT t.scope, t.key, t.holder, o_position
      FROM json_to_recordset(p_take) AS t(scope text, key text, holder text);
  END IF;

  INSERT INTO store.chain (to_pos, hash)
    SELECT o_position, sha256(
      coalesce((SELECT c.hash FROM store.chain c ORDER BY c.to_pos DESC LIMIT 1), decode(repeat('00', 32), 'hex'))
      || convert_to(string_agg(store.canonical(e), E'\x1e' ORDER BY e.pos), 'UTF8'))
    FROM store.event e WHERE e.pos > v_head;
  NOTIFY daybook_appended;
  outcome := 'appended';
END $$;

CREATE TABLE vault.data_key (
  subject    text COLLATE "C" NOT NULL CONSTRAINT data_key_pk PRIMARY KEY,
  wrapped    bytea       NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE read.projection (
  name     text COLLATE "C" NOT NULL CONSTRAINT projection_pk PRIMARY KEY,
  version  int    NOT NULL,
  position bigint NOT NULL
);

GRANT USAGE ON SCHEMA store, vault, read, telemetry TO daybook_service;
REVOKE ALL ON FUNCTION store.append FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store.append TO daybook_service;
GRANT SELECT, INSERT ON store.event, store.chain, vault.data_key TO daybook_service;
GRANT SELECT, INSERT, DELETE ON store.claim TO daybook_service;
GRANT SELECT ON ALL TABLES IN SCHEMA read TO daybook_service;

GRANT USAGE ON SCHEMA store TO daybook_projector;
GRANT USAGE, CREATE ON SCHEMA read TO daybook_projector;
GRANT SELECT ON ALL TABLES IN SCHEMA store TO daybook_projector;
GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA read TO daybook_projector;

-- Later tables, whichever of the two creates them: the migrating login or the projector.
ALTER DEFAULT PRIVILEGES IN SCHEMA read GRANT SELECT ON TABLES TO daybook_service;
ALTER DEFAULT PRIVILEGES FOR ROLE daybook_projector IN SCHEMA read GRANT SELECT ON TABLES TO daybook_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA read GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON TABLES TO daybook_projector;
ALTER DEFAULT PRIVILEGES IN SCHEMA read GRANT USAGE ON SEQUENCES TO daybook_projector;
ALTER DEFAULT PRIVILEGES IN SCHEMA telemetry GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO daybook_service;
ALTER DEFAULT PRIVILEGES IN SCHEMA telemetry GRANT USAGE ON SEQUENCES TO daybook_service;
