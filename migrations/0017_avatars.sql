-- Photos of people, sealed with their own keys: once one is erased, his photo cannot be opened either. Events hold what they are called.
CREATE TABLE telemetry.avatar (
  avatar_id uuid NOT NULL CONSTRAINT avatar_pk PRIMARY KEY,
  user_id   uuid NOT NULL,
  sealed    text COLLATE "C" NOT NULL
);
CREATE INDEX avatar_user ON telemetry.avatar (user_id);
-- Ciphertext does not shrink.
ALTER TABLE telemetry.avatar ALTER COLUMN sealed SET STORAGE EXTERNAL;
