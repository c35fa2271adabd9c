# Makes the cluster if the volume is empty, and starts Postgres.
set -eu
data=/var/lib/postgresql/18/docker
bin=/usr/lib/postgresql/18/bin

as_postgres() {
  setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
}

if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  chown -R postgres:postgres /var/lib/postgresql
  password=$(mktemp)
  printf '%s' "$POSTGRES_PASSWORD" > "$password"
  chown postgres "$password"
  as_postgres "$bin/initdb" --pgdata="$data" --username="$POSTGRES_USER" --pwfile="$password" \
    --encoding=UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256
  rm "$password"
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | as_postgres "$bin/postgres" --single -D "$data" postgres
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups \
  "$bin/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories=/run/postgresql
