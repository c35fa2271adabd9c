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

-- One row per batch of appends: the sha256 of the previous hash and of the canonical bytes of every event of the batch.
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

-- Whether one append may be written, and what it does to claims. Asked in the order of the batch, so that an append sees what an
-- earlier one has taken. NULL: write it. Else why not: 'appended' (before, with the same event ids: position, revisions) ·
-- 'revision' (part `place` is at revision `found`) · 'claim' (claim `place` of `take` is held by `found`) · 'id' (event id `found`
-- is in use elsewhere). Parts are counted from 1 after p_part_before; p_position is where the append's last event would stand.
CREATE FUNCTION store.verdict(
  p_streams text[], p_expected bigint[], p_current int[], p_part_before int, p_part int[], p_nth int[], p_ids uuid[],
  p_release json, p_take json, p_position bigint
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_explained boolean;
  v_position bigint;
  v_place int;
  v_found text;
  v_known text;
BEGIN
  SELECT e.id::text INTO v_known FROM store.event e WHERE e.id = ANY (p_ids) LIMIT 1;
  IF FOUND THEN
    SELECT coalesce(bool_and(coalesce(s.stream = p_streams[s.part] AND s.revision = s.start + s.nth, false)), false), max(s.pos)
      INTO v_explained, v_position
      FROM (
        SELECT a.part - p_part_before AS part, a.nth, e.pos, e.stream, e.revision,
          CASE WHEN p_expected[a.part - p_part_before] >= 0 THEN p_expected[a.part - p_part_before]
            ELSE first_value(e.revision) OVER (PARTITION BY a.part ORDER BY a.nth) - 1 END AS start
        FROM unnest(p_part, p_nth, p_ids) AS a(part, nth, id) LEFT JOIN store.event e USING (id)
      ) AS s;
    IF v_explained THEN
      RETURN json_build_object('outcome', 'appended', 'position', v_position, 'revisions', ARRAY(
        SELECT coalesce((
            SELECT max(e.revision) FROM unnest(p_part, p_ids) AS a(part, id) JOIN store.event e USING (id)
              WHERE a.part - p_part_before = n
          ), p_current[n])
        FROM generate_subscripts(p_streams, 1) AS n ORDER BY n));
    END IF;
  END IF;

  SELECT n, p_current[n] INTO v_place, v_found
    FROM generate_subscripts(p_streams, 1) AS n WHERE p_expected[n] >= 0 AND p_expected[n] <> p_current[n] ORDER BY n LIMIT 1;
  IF FOUND THEN
    RETURN json_build_object('outcome', 'revision', 'place', v_place, 'found', v_found);
  END IF;

  IF p_take IS NOT NULL THEN
    SELECT t.place, c.holder INTO v_place, v_found
      FROM ROWS FROM (json_to_recordset(p_take) AS (scope text, key text, holder text)) WITH ORDINALITY AS t(scope, key, holder, place)
      JOIN store.claim c ON c.scope = t.scope AND c.key = t.key
      WHERE NOT EXISTS (
        SELECT FROM json_to_recordset(p_release) AS r(scope text, key text, holder text)
        WHERE r.scope = c.scope AND r.key = c.key AND r.holder = c.holder)
      ORDER BY t.place LIMIT 1;
    IF FOUND THEN
      RETURN json_build_object('outcome', 'claim', 'place', v_place, 'found', v_found);
    END IF;
  END IF;

  IF v_known IS NOT NULL THEN
    RETURN json_build_object('outcome', 'id', 'found', v_known);
  END IF;

  IF p_release IS NOT NULL THEN
    DELETE FROM store.claim c USING json_to_recordset(p_release) AS r(scope text, key text, holder text)
      WHERE c.scope = r.scope AND c.key = r.key AND c.holder = r.holder;
  END IF;
  IF p_take IS NOT NULL THEN
    INSERT INTO store.claim (scope, key, holder, pos)
      SELECT t.scope, t.key, t.holder, p_position
      FROM json_to_recordset(p_take) AS t(scope text, key text, holder text);
  END IF;
  RETURN NULL;
END $$;

-- A batch of appends in one transaction and one round trip; each of them, with all its parts and claims, is written whole or not at
-- all, and what refuses one refuses no other. No stream stands in two appends of a batch: the caller sees to it.
-- Per append: the number of its last part and of its last event · per part: its append, stream and expected revision (-1: any) ·
-- per event: its part, its number in it, and itself · p_claims: NULL or [{append, release, take}].
-- Answers the head before the batch, the revision of every part before it, and the verdicts [{append, verdict}] over those that
-- were not written, NULL when all were.
-- Needs READ COMMITTED: each statement below sees what earlier holders of the lock have committed. Elements are picked out of the
-- arrays by number, because unnesting them all costs a quarter of the whole (measured).
CREATE FUNCTION store.append(
  p_last_part int[], p_last_event int[], p_append int[], p_streams text[], p_expected bigint[],
  p_part int[], p_nth int[], p_ids uuid[], p_types text[], p_schema_versions int[], p_data text, p_metadata text, p_claims json,
  OUT o_head bigint, OUT o_revisions int[], OUT o_verdicts json
) LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
  v_hash bytea;
  v_doubtful int[];
  v_append int;
  v_parts_before int;
  v_events_before int;
  v_claims json;
  v_verdict json;
  v_verdicts json[];
  v_unwritten int := 0;
  v_events int[] := ARRAY(SELECT generate_subscripts(p_ids, 1));
  v_data text[] := string_to_array(p_data, E'\x1f');
  v_metadata text[] := string_to_array(p_metadata, E'\x1f');
  v_at bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(4115297);

  -- greatest: a clock that was set back must not make a later event look earlier; order itself never asks the clock.
  SELECT coalesce(e.pos, 0), greatest(e.recorded_at, clock_timestamp()), coalesce(c.hash, decode(repeat('00', 32), 'hex')),
      ARRAY(SELECT coalesce((SELECT max(e.revision) FROM store.event e WHERE e.stream = p.stream), 0)
        FROM unnest(p_streams) WITH ORDINALITY AS p(stream, part) ORDER BY p.part)
    INTO o_head, v_now, v_hash, o_revisions
    FROM (SELECT) AS one
      LEFT JOIN LATERAL (SELECT e.pos, e.recorded_at FROM store.event e ORDER BY e.pos DESC LIMIT 1) AS e ON true
      LEFT JOIN LATERAL (SELECT c.hash FROM store.chain c ORDER BY c.to_pos DESC LIMIT 1) AS c ON true;

  v_doubtful := ARRAY(
    SELECT p_append[p.part] FROM unnest(p_expected, o_revisions) WITH ORDINALITY AS p(expected, current, part)
      WHERE p.expected >= 0 AND p.expected <> p.current
    UNION SELECT p_append[p_part[a.n]] FROM unnest(p_ids) WITH ORDINALITY AS a(id, n) JOIN store.event e ON e.id = a.id
    ORDER BY 1);
  -- Who only takes, what nobody holds and nobody else of the batch takes or releases, needs no judgement.
  IF p_claims IS NOT NULL THEN
    v_doubtful := ARRAY(
      SELECT unnest(v_doubtful)
      UNION SELECT t.append
        FROM (
          SELECT c.append, c.release, t.scope, t.key, count(*) OVER (PARTITION BY t.scope, t.key) AS mentions
          FROM json_to_recordset(p_claims) AS c(append int, release json, take json)
            CROSS JOIN LATERAL (
              SELECT r.scope, r.key FROM json_to_recordset(c.take) AS r(scope text, key text)
              UNION ALL SELECT r.scope, r.key FROM json_to_recordset(c.release) AS r(scope text, key text)
            ) AS t
        ) AS t
        WHERE t.release IS NOT NULL OR t.mentions > 1
          -- No EXISTS: it may be planned as a hash of all claims.
          OR (SELECT c.holder FROM store.claim c WHERE c.scope = t.scope AND c.key = t.key) IS NOT NULL
      ORDER BY 1);
  END IF;
  FOREACH v_append IN ARRAY v_doubtful LOOP
    v_parts_before := coalesce(p_last_part[v_append - 1], 0);
    v_events_before := coalesce(p_last_event[v_append - 1], 0);
    v_claims := (SELECT c FROM json_array_elements(p_claims) AS c WHERE (c->>'append')::int = v_append);
    v_verdict := store.verdict(
      p_streams[v_parts_before + 1 : p_last_part[v_append]], p_expected[v_parts_before + 1 : p_last_part[v_append]],
      o_revisions[v_parts_before + 1 : p_last_part[v_append]], v_parts_before,
      p_part[v_events_before + 1 : p_last_event[v_append]], p_nth[v_events_before + 1 : p_last_event[v_append]],
      p_ids[v_events_before + 1 : p_last_event[v_append]], v_claims->'release', v_claims->'take',
      o_head + p_last_event[v_append] - v_unwritten);
    CONTINUE WHEN v_verdict IS NULL;
    v_verdicts := v_verdicts || json_build_object('append', v_append, 'verdict', v_verdict);
    v_unwritten := v_unwritten + p_last_event[v_append] - v_events_before;
    v_events := ARRAY(SELECT n FROM unnest(v_events) AS n WHERE n <= v_events_before OR n > p_last_event[v_append]);
  END LOOP;
  o_verdicts := array_to_json(v_verdicts);
  IF v_events = '{}' THEN RETURN; END IF;
  IF p_claims IS NOT NULL THEN
    INSERT INTO store.claim (scope, key, holder, pos)
      SELECT t.scope, t.key, t.holder, o_head + CASE WHEN v_unwritten = 0 THEN p_last_event[c.append]
          ELSE (SELECT count(*) FROM unnest(v_events) AS n WHERE n <= p_last_event[c.append]) END
      FROM json_to_recordset(p_claims) AS c(append int, take json),
        json_to_recordset(c.take) AS t(scope text, key text, holder text)
      WHERE c.append <> ALL (v_doubtful);
  END IF;

  INSERT INTO store.event (pos, recorded_at, revision, id, stream, type, schema_version, data, metadata)
    SELECT o_head + e.place, v_now, o_revisions[p_part[e.n]] + p_nth[e.n], p_ids[e.n], p_streams[p_part[e.n]], p_types[e.n],
      p_schema_versions[e.n], v_data[e.n]::json, v_metadata[e.n]::json
    FROM unnest(v_events) WITH ORDINALITY AS e(n, place);

  -- The canonical bytes of an event; no field can hold a separator: streams and types are refused with control characters, JSON
  -- text never contains them raw. One array is scanned, so the events come in its order.
  v_at := extract(epoch FROM v_now) * 1000000;
  INSERT INTO store.chain (to_pos, hash)
    SELECT o_head + cardinality(v_events), sha256(v_hash || convert_to(string_agg(
      concat_ws(E'\x1f', o_head + e.place, v_at, o_revisions[p_part[e.n]] + p_nth[e.n], p_ids[e.n], p_streams[p_part[e.n]],
        p_types[e.n], p_schema_versions[e.n], v_data[e.n], v_metadata[e.n]), E'\x1e'), 'UTF8'))
    FROM unnest(v_events) WITH ORDINALITY AS e(n, place);
  NOTIFY daybook_appended;
END $$;

-- The same for one append of one event without claims, in two thirds of the time. An id in use is a unique_violation: ask store.append.
CREATE FUNCTION store.append_one(
  p_stream text, p_expected bigint, p_id uuid, p_type text, p_schema_version int, p_data json, p_metadata json,
  OUT o_head bigint, OUT o_revisions int[], OUT o_verdicts json
) LANGUAGE plpgsql AS $$
DECLARE
  v_revision int;
  v_now timestamptz;
  v_hash bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(4115297);
  SELECT coalesce(e.pos, 0), greatest(e.recorded_at, clock_timestamp()), coalesce(c.hash, decode(repeat('00', 32), 'hex')),
      coalesce(s.revision, 0)
    INTO o_head, v_now, v_hash, v_revision
    FROM (SELECT) AS one
      LEFT JOIN LATERAL (SELECT e.pos, e.recorded_at FROM store.event e ORDER BY e.pos DESC LIMIT 1) AS e ON true
      LEFT JOIN LATERAL (SELECT c.hash FROM store.chain c ORDER BY c.to_pos DESC LIMIT 1) AS c ON true
      LEFT JOIN LATERAL (
        SELECT e.revision FROM store.event e WHERE e.stream = p_stream ORDER BY e.revision DESC LIMIT 1) AS s ON true;
  IF p_expected >= 0 AND p_expected <> v_revision THEN
    SELECT a.o_head, a.o_revisions, a.o_verdicts INTO o_head, o_revisions, o_verdicts
      FROM store.append('{1}', '{1}', '{1}', ARRAY[p_stream], ARRAY[p_expected], '{1}', '{1}', ARRAY[p_id], ARRAY[p_type],
        ARRAY[p_schema_version], p_data::text, p_metadata::text, NULL) AS a;
    RETURN;
  END IF;

  o_revisions := ARRAY[v_revision];
  INSERT INTO store.event (pos, recorded_at, revision, id, stream, type, schema_version, data, metadata)
    VALUES (o_head + 1, v_now, v_revision + 1, p_id, p_stream, p_type, p_schema_version, p_data, p_metadata);
  INSERT INTO store.chain (to_pos, hash)
    VALUES (o_head + 1, sha256(v_hash || convert_to(concat_ws(E'\x1f', o_head + 1, (extract(epoch FROM v_now) * 1000000)::bigint,
      v_revision + 1, p_id, p_stream, p_type, p_schema_version, p_data, p_metadata), 'UTF8')));
  NOTIFY daybook_appended;
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
REVOKE ALL ON FUNCTION store.append, store.append_one, store.verdict FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store.append, store.append_one, store.verdict TO daybook_service;
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
