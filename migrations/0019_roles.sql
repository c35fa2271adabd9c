-- The log, its chain and the claims are written by functions alone, and no process holds the rights by which these functions write.
-- daybook_writer owns the functions and may do what they do, no more: it owns no table and no schema, and nothing logs in as it.
-- Roles belong to the whole cluster: see 0001.
DO $$
DECLARE
  v_may text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END;
BEGIN
  FOR v_try IN 1..20 LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'daybook_writer') THEN
        CREATE ROLE daybook_writer NOLOGIN;
      END IF;
      IF NOT (pg_has_role(current_user, 'daybook_writer', v_may) AND pg_has_role(current_user, 'daybook_writer', 'USAGE')) THEN
        EXECUTE format('GRANT daybook_writer TO %I', current_user);
      END IF;
      EXIT;
    EXCEPTION WHEN duplicate_object OR unique_violation OR internal_error THEN
      IF v_try = 20 THEN RAISE; END IF;
      PERFORM pg_sleep(0.05);
    END;
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA store, vault, telemetry TO daybook_writer;
GRANT SELECT, INSERT ON store.event, store.chain TO daybook_writer;
GRANT SELECT, INSERT, DELETE ON store.claim TO daybook_writer;
GRANT SELECT, INSERT, UPDATE ON vault.data_key TO daybook_writer;
GRANT SELECT, UPDATE ON telemetry.idempotent_call TO daybook_writer;

-- Names in a function that runs with its owner's rights are looked up in pg_catalog alone. Without pg_temp at the end, a caller's
-- temporary schema would come first.
ALTER FUNCTION store.append SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
ALTER FUNCTION store.append_one SECURITY DEFINER SET search_path = pg_catalog, pg_temp;

-- A function's new owner must be allowed to make things in its schema, at that moment.
GRANT CREATE ON SCHEMA store, vault TO daybook_writer;
ALTER FUNCTION store.append OWNER TO daybook_writer;
ALTER FUNCTION store.append_one OWNER TO daybook_writer;
ALTER FUNCTION store.verdict OWNER TO daybook_writer;
ALTER FUNCTION vault.erase OWNER TO daybook_writer;
REVOKE CREATE ON SCHEMA store, vault FROM daybook_writer;

REVOKE EXECUTE ON FUNCTION store.verdict FROM daybook_service;
REVOKE INSERT ON store.event, store.chain FROM daybook_service;
REVOKE INSERT, DELETE ON store.claim FROM daybook_service;

-- Which migrations were applied is asked by every process at its start.
GRANT USAGE ON SCHEMA migration TO daybook_service;
GRANT SELECT ON migration.applied TO daybook_service;

-- Large objects belong to the role that makes them, and Postgres lets every role make them. Only a superuser can take that away.
DO $$
BEGIN
  IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    REVOKE EXECUTE ON FUNCTION pg_catalog.lo_create(oid), pg_catalog.lo_creat(integer), pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;
  END IF;
END $$;
