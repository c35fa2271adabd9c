/** The reply of `GET /api/agent/install.sh`: POSIX sh, which makes a host the server of an install token. */
import { shellQuoted } from '#kernel/lib/shell-quote'
import { AGENT_ARCHITECTURES } from '../../tasks/agent-release.ts'
import type { AgentRelease } from '../../tasks/agent-release.ts'

export interface AgentInstallScriptInput {
  /** Without a trailing slash. */
  readonly panelUrl: string
  readonly release: AgentRelease
}

const hashesOf = ({ executables }: AgentRelease): string =>
  AGENT_ARCHITECTURES.map((arch) => `SHA256_${arch}=${shellQuoted(executables[arch]?.sha256 ?? '')}`).join('\n')

/**
 * Runs nothing before its last line has arrived. The token comes from the environment, and reaches other programs by
 * their standard input alone. A second run changes nothing, except that another release replaces the executable.
 */
export const agentInstallScript = ({ panelUrl, release }: AgentInstallScriptInput): string => `#!/bin/sh
# Makes this host a server of a Daybook panel. A second run changes nothing.
#   DAYBOOK_INSTALL_TOKEN  the install token of the server (required)
#   DOCKER_HOST            unix:// and the socket of the container engine, if it is not the usual one
#   NODE_EXTRA_CA_CERTS    the certificate of the authority of the panel, if it is your own
#   DAYBOOK_PREFIX         a directory to install below, by default none
set -eu
umask 077

PANEL_URL=${shellQuoted(panelUrl)}
VERSION=${shellQuoted(release.version)}
${hashesOf(release)}

say() {
  printf '%s\\n' "$*"
}

fail() {
  printf '%s\\n' "$*" >&2
  exit 1
}

# Paths and tokens need no other characters, so files made from them need no quoting.
plain() {
  case $2 in
    *[!A-Za-z0-9._:/@+-]*) fail "$1 must contain only letters, digits and . _ : / @ + -" ;;
  esac
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing: install it first (apt-get install $2)."
}

# Writes standard input to the file atomically, unless the file already has this content.
put() {
  cat >"$1.new"
  chmod "$2" "$1.new"
  if cmp -s "$1.new" "$1"; then
    rm -f "$1.new"
  else
    mv -f "$1.new" "$1"
    say "Wrote $1"
  fi
}

agent_env() {
  say '# Variables of the agent. Restart it after a change: systemctl restart daybook-agent'
  if [ -n "\${DOCKER_HOST:-}" ]; then say "DOCKER_HOST=$DOCKER_HOST"; fi
  if [ -n "\${NODE_EXTRA_CA_CERTS:-}" ]; then say "NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS"; fi
}

# An update that does not reach the panel within two starts is taken back at the third.
agent_start() {
  cat <<'END'
#!/bin/sh
# Runs before each start of the agent, with the directory of its executables.
set -eu
cd "$1"
[ -f pending ] || exit 0
starts=$(cat starts 2>/dev/null || :)
case $starts in
  '') starts=1 ;;
  1) starts=2 ;;
  *) starts=3 ;;
esac
# A start that a full disk does not count is as the third one.
if [ "$starts" -lt 3 ] && (echo "$starts" >starts) 2>/dev/null; then exit 0; fi
former=$(cat pending)
case $former in
  */* | '') exit 0 ;;
  daybook-agent-*) ;;
  *) exit 0 ;;
esac
[ -x "$former" ] || exit 0
if ! { ln -sfn "$former" daybook-agent.next && mv -f daybook-agent.next daybook-agent; }; then
  echo 'The update of the agent cannot be taken back: look at the disk' >&2
  exit 0
fi
rm -f pending starts
echo "The update of the agent was taken back: $former runs again"
END
}

unit() {
  cat <<END
[Unit]
Description=Daybook agent
Wants=network-online.target
After=network-online.target docker.service
StartLimitIntervalSec=0

[Service]
Type=exec
Environment=MALLOC_ARENA_MAX=2
EnvironmentFile=-$etc/agent.env
ExecStartPre=/bin/sh $start $bin
ExecStart=$bin/daybook-agent run $dir
Restart=always
RestartSec=2
RestartPreventExitStatus=75
TimeoutStopSec=30
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ProtectKernelModules=yes
ProtectClock=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
ReadWritePaths=$dir $etc -/var/lib/docker -/opt/daybook
CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_KILL CAP_NET_ADMIN CAP_NET_RAW CAP_SYS_PTRACE
MemoryMax=512M
OOMPolicy=continue
Slice=daybook.slice

[Install]
WantedBy=multi-user.target
END
}

# The agent writes the configuration. The service runs on without the agent, and begins with the host.
proxy_unit() {
  cat <<END
[Unit]
Description=Daybook proxy
Wants=network-online.target
After=network-online.target
Before=daybook-agent.service
ConditionPathExists=$dir/proxy/haproxy.cfg
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=$haproxy -Ws -p $dir/proxy/haproxy.pid -S $dir/proxy/master.sock,mode,600 -f $dir/proxy/haproxy.cfg
Restart=always
RestartSec=1
KillMode=mixed
SuccessExitStatus=143
LimitNOFILE=100000
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native
ReadWritePaths=$dir/proxy
CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_SETUID CAP_SETGID CAP_KILL
Slice=daybook.slice

[Install]
WantedBy=multi-user.target
END
}

# Applications, the agent and the proxy get ten times what builds get of a busy processor.
slice_unit() {
  cat <<END
[Unit]
Description=Daybook

[Slice]
CPUWeight=1000
END
}

# Else those on the way could read the token, and answer in place of the panel.
check_url() {
  case $PANEL_URL in
    https://*) protocol='=https' ;;
    http://localhost:*[!0-9]* | http://127.*[!0-9.:]*) refuse_url ;;
    http://localhost | http://localhost:* | http://127.* | 'http://[::1]' | 'http://[::1]:'*) protocol='=http' ;;
    *) refuse_url ;;
  esac
}

refuse_url() {
  fail 'The address of the panel must begin with https://, except on its own host.'
}

# The token is in no list of arguments: printf belongs to the shell.
download() {
  printf 'header = "Authorization: Bearer %s"\\n' "$token" |
    curl --config - --proto "$protocol" --fail --silent --show-error --connect-timeout 15 --speed-limit 1000 --speed-time 60 --retry 3 --output "$2" "$PANEL_URL$1"
}

# The file has its name only when it was checked.
fetch() {
  [ -x "$bin/$name" ] && "$bin/$name" self-test >/dev/null 2>&1 && return 0
  download "/api/agent/binary?arch=$arch" "$bin/part.gz" || fail "The agent could not be downloaded from $PANEL_URL."
  [ "$(sha256sum <"$bin/part.gz" | cut -d ' ' -f 1)" = "$sha256" ] || fail 'The agent that was downloaded has another SHA-256 than the panel says.'
  gzip -dc "$bin/part.gz" >"$bin/part"
  rm -f "$bin/part.gz"
  chmod 700 "$bin/part"
  "$bin/part" self-test || fail 'The agent does not run on this host. It needs glibc 2.28 or newer, and a directory whose files may be run.'
  sync "$bin/part"
  mv -f "$bin/part" "$bin/$name"
  say "Wrote $bin/$name"
}

main() {
  check_url
  token=\${DAYBOOK_INSTALL_TOKEN:-}
  unset DAYBOOK_INSTALL_TOKEN
  prefix=\${DAYBOOK_PREFIX:-}
  [ "$(id -u)" = 0 ] || fail 'Run this as root.'
  [ "$(uname -s)" = Linux ] || fail 'The agent runs on Linux only.'
  [ -n "$token" ] || fail 'Set DAYBOOK_INSTALL_TOKEN: the panel shows the whole command when a server is added.'
  plain DAYBOOK_INSTALL_TOKEN "$token"
  plain DAYBOOK_PREFIX "$prefix"
  case $prefix in
    '' | /*) ;;
    *) fail 'DAYBOOK_PREFIX must be an absolute path.' ;;
  esac
  plain DOCKER_HOST "\${DOCKER_HOST:-}"
  plain NODE_EXTRA_CA_CERTS "\${NODE_EXTRA_CA_CERTS:-}"
  case $(uname -m) in
    x86_64 | amd64) arch=amd64 sha256=$SHA256_amd64 ;;
    aarch64 | arm64) arch=arm64 sha256=$SHA256_arm64 ;;
    *) fail "There is no agent for $(uname -m): it runs on amd64 and arm64." ;;
  esac
  [ -n "$sha256" ] || fail "The panel has no agent for $arch: ask its operator to build it."
  need curl curl
  need gzip gzip
  need sha256sum coreutils

  dir=$prefix/var/lib/daybook-agent
  bin=$dir/bin
  etc=$prefix/etc/daybook
  start=$etc/agent-start
  units=$prefix/etc/systemd/system
  name=daybook-agent-$VERSION-$(printf '%.16s' "$sha256")
  (umask 022 && mkdir -p "$prefix/usr/local/bin" "$prefix/etc" "$prefix/var/lib" "$units")
  mkdir -p "$bin" "$etc"
  trap 'rm -f "$bin/part" "$bin/part.gz"' EXIT
  fetch

  # Another agent cannot take its place any more, whatever an update has left.
  rm -f "$bin/pending" "$bin/starts"
  ln -sfn "$name" "$bin/daybook-agent.next"
  mv -f "$bin/daybook-agent.next" "$bin/daybook-agent"
  ln -sfn "$bin/daybook-agent" "$prefix/usr/local/bin/daybook-agent"
  [ -f "$etc/agent.env" ] || agent_env | put "$etc/agent.env" 600
  agent_start | put "$start" 700

  printf '%s\\n' "$token" | "$bin/daybook-agent" register "$dir" "$PANEL_URL" || fail 'The host is not registered.'

  if [ ! -d "$prefix/run/systemd/system" ]; then
    say 'systemd does not run here. Have your service manager run this before each start of the agent, and start it again when it ends:'
    say "  /bin/sh $start $bin"
    say "  $bin/daybook-agent run $dir"
    return 0
  fi
  slice_unit | put "$units/daybook.slice" 644
  unit | put "$units/daybook-agent.service" 644
  haproxy=$(command -v haproxy || :)
  if [ -n "$haproxy" ]; then proxy_unit | put "$units/daybook-proxy.service" 644; fi
  systemctl daemon-reload
  # The agent starts it: one that runs already has the ports.
  if [ -n "$haproxy" ]; then systemctl enable --quiet daybook-proxy.service; fi
  systemctl enable --quiet daybook-agent.service
  systemctl restart daybook-agent.service
  if [ -z "$haproxy" ]; then say 'HAProxy is missing, so no request reaches an application: apt-get install haproxy, and run this again.'; fi
  say 'The agent runs: systemctl status daybook-agent'
}

main
`
