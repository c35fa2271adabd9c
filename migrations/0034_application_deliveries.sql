-- Deliveries of git providers to applications of the panel, for a day: telemetry. A licensing service keeps nothing here.
CREATE TABLE telemetry.application_delivery (
  id             bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT application_delivery_pk PRIMARY KEY,
  application_id uuid        NOT NULL,
  -- As the provider names it. Null: it has none, or the delivery may come again.
  delivery_id    text COLLATE "C",
  -- Of the SHA-256 of its bytes. Null: the delivery may come again.
  body_hash      bytea,
  event          text COLLATE "C" NOT NULL,
  -- Null while it is worked on.
  outcome        text COLLATE "C",
  status         int,
  at             timestamptz NOT NULL,
  CONSTRAINT application_delivery_once UNIQUE (application_id, delivery_id),
  CONSTRAINT application_delivery_body_once UNIQUE (application_id, body_hash)
);
CREATE INDEX application_delivery_list ON telemetry.application_delivery (application_id, at, id);
CREATE INDEX application_delivery_age ON telemetry.application_delivery (at);
