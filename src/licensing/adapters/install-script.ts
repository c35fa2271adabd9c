/**
 * The reply of `GET /install.sh`: POSIX sh, run as `curl … | sh` on the machine of a new license
 * (licensing.md 4).
 */
import { shellQuoted } from '#kernel/lib/shell-quote'

export interface InstallScriptInput {
  /** The URL of this service, without a trailing slash. */
  readonly baseUrl: string
  /** `x` of the root key's public JWK, base64url. */
  readonly rootKey: string
}

/**
 * Runs nothing before its last line has arrived. The license key comes from the environment, goes
 * into a file with mode 0600 and is never a command's argument. Existing files are kept: a second
 * run changes nothing, except that another image updates the panel.
 */
export const installScript = ({ baseUrl, rootKey }: InstallScriptInput): string => `#!/bin/sh
# Installs the Daybook panel on this Linux host, with Docker Compose. A second run changes nothing.
#   DAYBOOK_IMAGE        the image of the panel (required)
#   DAYBOOK_LICENSE_KEY  the license key; without it the panel stays on the free tier
#   DAYBOOK_DIR          the directory of its files, by default /opt/daybook
#   PANEL_URL            the panel's address in browsers, by default http://<this host>:3000
set -eu
umask 077

LICENSE_SERVER_URL=${shellQuoted(baseUrl)}
LICENSE_ROOT_KEY=${shellQuoted(rootKey)}

say() {
  printf '%s\\n' "$*"
}

fail() {
  printf '%s\\n' "$*" >&2
  exit 1
}

# Names, addresses and keys need no other characters, so files made from them need no quoting.
plain() {
  case $2 in
    *[!A-Za-z0-9._:/@+-]*) fail "$1 must contain only letters, digits and . _ : / @ + -" ;;
  esac
}

random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \\n'
}

# Writes standard input to the file atomically, unless the file already has this content.
put() {
  cat >"$1.new"
  if cmp -s "$1.new" "$1"; then
    rm -f "$1.new"
  else
    mv "$1.new" "$1"
    say "Wrote $1"
  fi
}

database_env() {
  say 'POSTGRES_USER=daybook'
  say 'POSTGRES_DB=daybook'
  say "POSTGRES_PASSWORD=$(random)"
}

# The owner's login is for migrate only, which creates the login of the panel.
migrate_env() {
  password=$(sed -n 's/^POSTGRES_PASSWORD=//p' "$dir/database.env")
  say "PANEL_DATABASE_OWNER_URL=postgresql://daybook:$password@database:5432/daybook"
}

panel_env() {
  say "PANEL_DATABASE_URL=postgresql://daybook_panel:$(random)@database:5432/daybook"
  say "PANEL_SECRET_KEY=$(random)"
  say "PANEL_URL=$url"
  say "LICENSE_SERVER_URL=$LICENSE_SERVER_URL"
  say "LICENSE_ROOT_KEY=$LICENSE_ROOT_KEY"
  if [ -n "$key" ]; then say "DAYBOOK_LICENSE_KEY=$key"; fi
}

# Compose reads it. A panel that installs another version itself names its image and its file here.
compose_env() {
  known=
  if [ -f "$dir/.env" ]; then known=$(sed -n 's/^DAYBOOK_IMAGE=//p' "$dir/.env"); fi
  if [ "$known" = "$image" ]; then
    cat "$dir/.env"
  else
    if [ -f "$dir/.env" ]; then sed '/^DAYBOOK_IMAGE=/d; /^RELEASE_SHA256=/d' "$dir/.env"; fi
    say "DAYBOOK_IMAGE=$image"
    say 'RELEASE_SHA256='
  fi
}

compose_yaml() {
  cat <<END
name: daybook-panel
services:
  database:
    image: postgres:18
    restart: unless-stopped
    env_file: [database.env]
    volumes: ['database:/var/lib/postgresql']
    healthcheck:
      test: ['CMD-SHELL', 'pg_isready -U daybook -d daybook']
      interval: 5s
      timeout: 3s
      retries: 12
  migrate:
    image: '\\\${DAYBOOK_IMAGE}'
    restart: on-failure
    command: ['panel', 'migrate']
    env_file: [panel.env, migrate.env]
    healthcheck:
      disable: true
    depends_on:
      database:
        condition: service_healthy
  panel:
    image: '\\\${DAYBOOK_IMAGE}'
    restart: unless-stopped
    command: ['panel']
    env_file: [panel.env]
    environment:
      PANEL_DATA_DIR: /var/lib/daybook
      RELEASE_SHA256: '\\\${RELEASE_SHA256:-}'
    ports: ['3000:3000']
    volumes: ['files:/var/lib/daybook']
    healthcheck:
      test: ['CMD', 'node', '-e', "fetch('http://127.0.0.1:3000/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
      interval: 10s
      timeout: 3s
      start_period: 30s
      retries: 3
    depends_on:
      migrate:
        condition: service_completed_successfully
volumes:
  database:
  files:
END
}

# Compares in the shell itself, so that the key is not an argument of a command.
has_key() {
  while IFS= read -r line; do
    if [ "$line" = "DAYBOOK_LICENSE_KEY=$key" ]; then return 0; fi
  done <"$dir/panel.env"
  return 1
}

main() {
  key=\${DAYBOOK_LICENSE_KEY:-}
  unset DAYBOOK_LICENSE_KEY
  image=\${DAYBOOK_IMAGE:-}
  dir=\${DAYBOOK_DIR:-/opt/daybook}
  url=\${PANEL_URL:-http://$(uname -n):3000}

  [ -n "$image" ] || fail 'Set DAYBOOK_IMAGE to the image of the panel, before sh: curl … | DAYBOOK_IMAGE=… DAYBOOK_LICENSE_KEY=… sh'
  plain DAYBOOK_IMAGE "$image"
  plain DAYBOOK_LICENSE_KEY "$key"
  plain DAYBOOK_DIR "$dir"
  plain PANEL_URL "$url"
  command -v docker >/dev/null 2>&1 || fail 'Docker is missing: install it first, https://docs.docker.com/engine/install/'
  docker compose version >/dev/null 2>&1 || fail 'Docker Compose is missing: install its plugin first, https://docs.docker.com/compose/install/'
  mkdir -p "$dir" || fail "$dir cannot be created: run this as root, or set DAYBOOK_DIR."

  # Each secret is created once, at the first run.
  [ -f "$dir/database.env" ] || database_env | put "$dir/database.env"
  [ -f "$dir/migrate.env" ] || migrate_env | put "$dir/migrate.env"
  if [ ! -f "$dir/panel.env" ]; then
    panel_env | put "$dir/panel.env"
  elif [ -n "$key" ] && ! has_key; then
    say "Kept $dir/panel.env, which has another license key or none: set the new key in the panel."
  fi
  compose_env | put "$dir/.env"
  compose_yaml | put "$dir/compose.yaml"

  docker compose --project-directory "$dir" --file "$dir/compose.yaml" up --detach
  say "The panel is starting at $url"
  say "The setup token for its first account: docker compose --project-directory $dir logs panel"
}

main
`
