-- What was answered under an Idempotency-Key is kept for a day, sealed for the installation and not for whom it is about. So the
-- ids that it names stand beside it. Null: kept by a version that did not write them down, so it may name anybody.
ALTER TABLE telemetry.idempotent_call ADD COLUMN names text[];

-- As before, and the answers that name who is erased go with his key. They are lost and not forgotten: what was asked was done, and
-- must not be done again.
CREATE OR REPLACE FUNCTION vault.erase(p_subjects text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
  UPDATE telemetry.idempotent_call SET answer = NULL, lost = true
    WHERE answer IS NOT NULL
      AND (names IS NULL OR names && ARRAY(SELECT substring(s FROM '[^/]*$') FROM unnest(p_subjects) AS s));
  NOTIFY daybook_appended;
END $$;
