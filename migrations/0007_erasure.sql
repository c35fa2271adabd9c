-- A subject that was erased keeps its row, without its key: no process can make him a new one. `erased` numbers these tombstones in
-- the order in which they become visible, so that a process that asks for those above the last it saw misses none.
ALTER TABLE vault.data_key ALTER COLUMN wrapped DROP NOT NULL;
ALTER TABLE vault.data_key ADD COLUMN erased bigint CONSTRAINT data_key_erased UNIQUE;
ALTER TABLE vault.data_key ADD CONSTRAINT data_key_or_tombstone CHECK ((wrapped IS NULL) = (erased IS NOT NULL));

-- The only way to destroy a key, and none to bring one back: the service may call this and has neither UPDATE nor DELETE there.
-- Woken are the listeners to appends, since whoever shows what events said must hear of this as well.
CREATE FUNCTION vault.erase(p_subjects text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_subject text;
BEGIN
  PERFORM pg_advisory_xact_lock(4115298);
  FOREACH v_subject IN ARRAY p_subjects LOOP
    IF v_subject LIKE 'installation%' THEN
      RAISE EXCEPTION 'The installation''s own keys cannot be erased' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO vault.data_key AS known (subject, erased)
      VALUES (v_subject, coalesce((SELECT max(k.erased) FROM vault.data_key k), 0) + 1)
      ON CONFLICT (subject) DO UPDATE SET wrapped = NULL, erased = excluded.erased WHERE known.wrapped IS NOT NULL;
  END LOOP;
  NOTIFY daybook_appended;
END $$;

REVOKE ALL ON FUNCTION vault.erase FROM PUBLIC;
GRANT EXECUTE ON FUNCTION vault.erase TO daybook_service;
REVOKE INSERT ON vault.data_key FROM daybook_service;
GRANT INSERT (subject, wrapped) ON vault.data_key TO daybook_service;
