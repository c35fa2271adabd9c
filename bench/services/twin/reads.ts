/**
 * Two reads by key, with the SELECTs of the services as named statements. Nothing is cached, so a revocation holds for
 * the next request. Not done: rates, last uses, metrics, log lines, request ids, security headers.
 */
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto'
import type { Pool, QueryResultRow as Row } from 'pg'
import type { Handler } from './process.ts'

export const rowsOf =
  (pool: Pool, name: string, text: string) =>
  async (...values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ name, text, values })).rows

const secretHash = (authorization: string): string =>
  createHash('sha256').update(authorization.slice('Bearer '.length)).digest('hex')

const isUsable = ({ revoked_at: revokedAt, expires_at: expiresAt, allowed_ips: allowedIps }: Row): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > new Date()) && (allowedIps ?? []).length === 0

/** @returns what finds the token that a caller presents, if it may do this */
export function tokenGate(pool: Pool, permission: string) {
  const find = rowsOf(
    pool,
    'token',
    'SELECT id, grants, allowed_ips, expires_at, revoked_at FROM read.machine_tokens WHERE hash = $1',
  )
  return async (authorization: string): Promise<boolean> => {
    const [token] = await find(secretHash(authorization))
    return token !== undefined && isUsable(token) && token['grants'].includes(permission)
  }
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Postgres' whole numbers arrive as text, because some are too large for a number. */
const count = (value: string | null): number | null => (value === null ? null : Number(value))

export function tokenRead(pool: Pool): Handler {
  const mayRead = tokenGate(pool, 'plans:view')
  const find = rowsOf(pool, 'plan', 'SELECT * FROM read.plans WHERE id = $1')
  return async ({ path, header }) => {
    if (!(await mayRead(header('authorization')))) return undefined
    const [plan] = await find(lastSegment(path))
    return plan && { status: 200, body: JSON.stringify(planView(plan)) }
  }
}

const planView = (plan: Row) => ({
  id: plan['id'],
  slug: plan['slug'],
  active: plan['active'],
  version: count(plan['version']),
  name: plan['name'],
  currency: plan['currency'],
  priceMonthly: count(plan['price_monthly']),
  priceYearly: count(plan['price_yearly']),
  free: plan['free'],
  public: plan['public'],
  trialDays: count(plan['trial_days']),
  maxActivations: count(plan['max_activations']),
  maxSeats: count(plan['max_seats']),
  graceDays: count(plan['grace_days']),
  offlineDays: count(plan['offline_days']),
  heartbeatSeconds: count(plan['heartbeat_seconds']),
  reclaimStaleAfterDays: count(plan['reclaim_stale_after_days']),
  features: plan['features'],
  createdAt: plan['created_at'],
})

const KEY = `
  SELECT api_keys.id, owner_id, scopes, project_ids, allowed_ips, expires_at, revoked_at, deleted_at, owner.status,
    owner.role, owner.permissions, admin_role.permissions AS role_permissions
  FROM read.api_keys
  LEFT JOIN read.users AS owner ON owner.id = api_keys.owner_id
  LEFT JOIN read.admin_roles AS admin_role ON admin_role.id = owner.admin_role_id
  WHERE hash = $1`
const MEMBERS = `
  SELECT role, environment_ids, project_members.permissions AS more, custom.permissions AS granted
  FROM read.project_members LEFT JOIN read.project_roles AS custom ON custom.id = project_members.role_id
  WHERE project_members.project_id = $1 AND user_id = $2`
const TEAMS = `
  SELECT role, environment_ids, custom.permissions AS granted
  FROM read.project_teams
  INNER JOIN read.team_members AS own ON own.team_id = project_teams.team_id
  LEFT JOIN read.project_roles AS custom ON custom.id = project_teams.role_id
  WHERE project_teams.project_id = $1 AND own.user_id = $2`

export function keyRead(pool: Pool, projectName: string): Handler {
  const find = rowsOf(pool, 'key', KEY)
  const members = rowsOf(pool, 'members', MEMBERS)
  const teams = rowsOf(pool, 'teams', TEAMS)
  const exists = rowsOf(pool, 'exists', 'SELECT id FROM read.projects WHERE id = $1')
  const project = rowsOf(pool, 'project', 'SELECT * FROM read.projects WHERE id = $1')
  // Only the service has the service's keys, so the twin opens a name that it sealed itself.
  const open = sealed(projectName)
  return async ({ path, header }) => {
    const [key] = await find(secretHash(header('authorization')))
    if (!key || !isUsable(key) || key['deleted_at'] !== null || key['status'] !== 'ACTIVE') return undefined
    if (!key['scopes'].includes('platform:projects:view')) return undefined
    const id = lastSegment(path)
    const all = await Promise.all([members(id, key['owner_id']), teams(id, key['owner_id']), exists(id)])
    if (all[2].length === 0 || (all[0].length === 0 && all[1].length === 0 && key['role'] === null)) return undefined
    const [row] = await project(id)
    return row && { status: 200, body: JSON.stringify(projectView(row, open())) }
  }
}

const projectView = (project: Row, name: string) => ({
  id: project['id'],
  name,
  description: project['description'],
  ownerId: project['owner_id'],
  createdAt: project['created_at'],
})

/** AES-256-GCM, as the services seal. @returns what opens it */
function sealed(text: string): () => string {
  const key = createSecretKey(randomBytes(32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const bytes = Buffer.concat([cipher.update(text), cipher.final()])
  const tag = cipher.getAuthTag()
  return () => {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString()
  }
}
