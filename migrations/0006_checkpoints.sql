-- Where the chain stood, signed by the installation: whoever rewrites the log cannot write these, and those that were copied out
-- he cannot take away.
CREATE TABLE store.checkpoint (
  position bigint NOT NULL CONSTRAINT checkpoint_pk PRIMARY KEY,
  jws      text   NOT NULL
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON store.checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION store.refuse_change();
ALTER TABLE store.checkpoint ENABLE ALWAYS TRIGGER append_only;
GRANT SELECT, INSERT ON store.checkpoint TO daybook_service;
GRANT SELECT ON store.checkpoint TO daybook_projector;
