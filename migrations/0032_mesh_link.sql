-- The links between servers, as their agents measured them last: telemetry. A licensing service keeps nothing here.
CREATE TABLE telemetry.mesh_link (
  from_server uuid             NOT NULL,
  to_server   uuid             NOT NULL,
  state       text             NOT NULL,
  -- Null unless the state is OK.
  rtt_ms      double precision,
  at          timestamptz      NOT NULL,
  CONSTRAINT mesh_link_pk PRIMARY KEY (from_server, to_server)
);
CREATE INDEX mesh_link_to ON telemetry.mesh_link (to_server);
