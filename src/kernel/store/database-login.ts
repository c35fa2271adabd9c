/**
 * The PostgreSQL login of a process: it is no superuser, owns nothing and may act as Daybook's roles
 * (migrations/0001, 0009, 0019). Only "daybook migrate" and "daybook restore" use the
 * owner of the database.
 */
import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Pool } from 'pg'
import type { DatabaseRole } from './connection.ts'

const ROLES: readonly DatabaseRole[] = ['daybook_service', 'daybook_projector', 'daybook_queue']
const CONNECT_TIMEOUT_MS = 5_000
const TRIES_MAX = 20
const TRIES_PAUSE_MS = 50
/**
 * SQLSTATEs of a concurrent change: role exists, duplicate catalog row, "tuple concurrently updated".
 * Roles are cluster-wide.
 */
const MET_ANOTHER = new Set(['42710', '23505', 'XX000'])

/** A SCRAM verifier (RFC 5803, 4,096 iterations), so that no statement and no log contains the password. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = hash('sha256', keyed('Client Key'), 'base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

/**
 * Creates the login of `url` if it does not exist and grants it the existing ones of Daybook's roles. Lets it
 * connect to the database and revokes CONNECT from PUBLIC; other logins need a grant of their own. An existing login
 * is not changed otherwise. Does nothing if both URLs have the same login.
 * @param ownerUrl the same database, with its owner or a superuser as the login
 */
export async function ensureLogin(ownerUrl: string, url: string): Promise<void> {
  const { user, password } = loginIn(url)
  if (user === loginIn(ownerUrl).user) return
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let tries = 1; !(await tryEnsureLogin(client, user, password, tries === TRIES_MAX)); tries += 1)
      await pause(TRIES_PAUSE_MS)
  } finally {
    await client.end()
  }
}

/**
 * @returns false when another process changed the same role concurrently.
 * @throws in this case on the last attempt (`isLast`)
 */
async function tryEnsureLogin(client: pg.Client, user: string, password: string, isLast: boolean): Promise<boolean> {
  try {
    await client.query('BEGIN')
    await createLogin(client, user, password)
    await grant(client, user)
    await client.query('COMMIT')
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    if (isLast || !MET_ANOTHER.has((error as { code?: string }).code ?? '')) throw error
    return false
  }
}

async function createLogin(client: pg.Client, user: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [user])
  if (rowCount !== 0) return
  const secret = password === '' ? '' : ` PASSWORD ${client.escapeLiteral(secretOf(password))}`
  // NOINHERIT: the login has privileges only as the role that a connection sets.
  await client.query(`CREATE ROLE ${client.escapeIdentifier(user)} LOGIN NOINHERIT${secret}`)
}

/** Text beyond ASCII must be prepared before hashing (SASLprep, RFC 4013); PostgreSQL does that itself. */
const secretOf = (password: string): string => (/^[ -~]+$/.test(password) ? scramVerifier(password) : password)

async function grant(client: pg.Client, user: string): Promise<void> {
  const login = client.escapeIdentifier(user)
  const { rows } = await client.query<{ role: string }>(
    `SELECT rolname AS role FROM pg_roles WHERE rolname = ANY ($1) AND NOT pg_has_role($2, oid, 'MEMBER')`,
    [ROLES, user],
  )
  for (const { role } of rows) await client.query(`GRANT ${role} TO ${login}`)
  const { rows: names } = await client.query<{ name: string }>('SELECT current_database() AS name')
  const database = client.escapeIdentifier(names[0]!.name)
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${login}`)
  await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`)
}

function loginIn(url: string): { user: string; password: string } {
  const { username, password } = new URL(url)
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
}

interface LoginPrivileges {
  readonly login: string
  readonly super: boolean
  readonly owns: boolean
  readonly attributes: readonly string[]
  readonly others: readonly string[]
}

/** Checks the login itself, not the role that the connection acts as. */
const LOGIN_PRIVILEGES = `
  SELECT session_user AS login, l.rolsuper AS super,
    EXISTS (SELECT FROM pg_namespace n WHERE n.nspname IN ('store', 'vault', 'read', 'telemetry') AND pg_has_role(l.oid, n.nspowner, 'MEMBER')) AS owns,
    array_remove(ARRAY[CASE WHEN l.rolcreaterole THEN 'CREATEROLE' END, CASE WHEN l.rolcreatedb THEN 'CREATEDB' END,
      CASE WHEN l.rolreplication THEN 'REPLICATION' END, CASE WHEN l.rolbypassrls THEN 'BYPASSRLS' END], NULL) AS attributes,
    ARRAY(SELECT r.rolname::text FROM pg_roles r WHERE r.rolname <> ALL ($1) AND r.oid <> l.oid AND pg_has_role(l.oid, r.oid, 'MEMBER') ORDER BY 1) AS others
  FROM pg_roles l WHERE l.rolname = session_user`

/**
 * The privileges of the pool's login that a process does not need, as a clause for the operator; undefined when
 * there are none. An attacker with a connection can use all privileges of its login, whatever its role (RESET ROLE).
 */
export async function excessPrivilegesOf(pool: Pick<Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<LoginPrivileges>(LOGIN_PRIVILEGES, [ROLES])
  const more = excessIn(rows[0]!)
  return more && `the login ${rows[0]!.login} ${more}`
}

function excessIn({ super: isSuper, owns, attributes, others }: LoginPrivileges): string | undefined {
  if (isSuper) return 'is a superuser, so it can rewrite the history'
  if (owns) return 'owns the tables, or may act as their owner, so it can rewrite the history'
  if (attributes.length > 0) return `has ${attributes.join(', ')}, which no process needs`
  return others.length > 0 ? `may act as ${others.join(', ')}, which no process needs` : undefined
}
