/**
 * Who may call what: the expectation, written by hand from the contract's table “Who may” and from the catalog. It is the one list
 * that repeats routes; the declarations in src/ must agree with it, cell by cell.
 */

/**
 * 'public': anybody. 'cookie': public to the gate, guarded by the refresh token. 'session': anybody who has signed in.
 * 'any admin': ADMIN or SUPERADMIN, whatever was granted. 'superadmin': the role alone. 'stream': a token that is good once, or a session.
 * 'in project …': decided by a rule about the project that the path names, which answers 404 to whoever does not see it.
 * Else the platform permission needed.
 */
export type Needs =
  | 'public'
  | 'cookie'
  | 'session'
  | 'any admin'
  | 'superadmin'
  | 'stream'
  | `in project${string}`
  | `${string}:${'view' | 'manage'}`

export interface Row {
  readonly line: string
  readonly needs: Needs
  /** Opened to API keys that hold this scope. */
  readonly scope?: string
}

const rows = (needs: Needs, ...lines: string[]): Row[] => lines.map((line) => ({ line, needs }))

export const ACCESS: readonly Row[] = [
  // Auth
  ...rows('public', 'POST /api/auth/login'),
  ...rows('cookie', 'POST /api/auth/refresh', 'POST /api/auth/logout'),
  ...rows('session', 'GET /api/auth/me'),
  // License
  ...rows('license:view', 'GET /api/admin/license'),
  ...rows(
    'license:manage',
    'POST /api/admin/license',
    'POST /api/admin/license/remove',
    'POST /api/admin/license/revalidate',
  ),
  // Audit logs
  ...rows('audit:view', 'GET /api/admin/audit-logs/actions'),
]
