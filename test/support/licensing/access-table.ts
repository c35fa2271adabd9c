/**
 * The expected access of every route, written by hand from the seed ("Licensing service: routes reachable by
 * a machine token") and from the contract's route table. It is the one list that repeats routes. The
 * declarations in src/ must agree with it, cell by cell.
 */

/**
 * 'public': no credential. 'own': any member of staff. 'customer': any customer, for the customer's own
 * objects. 'cookie': public to the gate, guarded by the refresh cookie. 'signed': a request signed with a
 * license key. Otherwise the needed permission.
 */
export type Needs = 'public' | 'own' | 'customer' | 'cookie' | 'signed' | `${string}:${'view' | 'manage'}`

export interface Row {
  readonly line: string
  readonly needs: Needs
  /** Open to machine tokens. */
  readonly token: boolean
}

const session = (needs: Needs, ...lines: string[]): Row[] => lines.map((line) => ({ line, needs, token: false }))
const opened = (needs: Needs, ...lines: string[]): Row[] => lines.map((line) => ({ line, needs, token: true }))

export const ACCESS: readonly Row[] = [
  ...session(
    'public',
    'POST /api/admin/auth/login',
    'GET /api/v1/license/keys',
    'GET /api/v1/license/crl',
    'GET /install.sh',
  ),
  ...session('public', 'POST /api/admin/auth/set-password'),
  ...session('cookie', 'POST /api/admin/auth/refresh', 'POST /api/admin/auth/logout'),
  ...session(
    'public',
    'POST /api/shop/auth/register',
    'POST /api/shop/auth/verify-email',
    'POST /api/shop/auth/forgot-password',
    'POST /api/shop/auth/reset-password',
    'POST /api/shop/auth/login',
    'GET /api/shop/plans',
  ),
  ...session('cookie', 'POST /api/shop/auth/refresh', 'POST /api/shop/auth/logout'),
  ...session(
    'customer',
    'POST /api/shop/auth/password',
    'POST /api/shop/auth/step-up',
    'POST /api/shop/auth/2fa/setup',
    'POST /api/shop/auth/2fa/enable',
    'POST /api/shop/auth/2fa/disable',
    'GET /api/shop/me',
    'GET /api/shop/announcements',
    'PATCH /api/shop/me',
    'GET /api/shop/subscriptions',
    'GET /api/shop/subscriptions/:id',
    'POST /api/shop/subscriptions/:id/change-preview',
    'PATCH /api/shop/subscriptions/:id',
    'POST /api/shop/subscriptions/:id/cancel',
    'GET /api/shop/licenses',
    'GET /api/shop/licenses/:id',
    'GET /api/shop/licenses/:id/key',
    'POST /api/shop/licenses/:id/offline-activation',
    'POST /api/shop/licenses/:id/rotate',
    'GET /api/shop/subscriptions/:id/payments',
    'GET /api/shop/instances',
    'POST /api/shop/instances/:id/deactivate',
    'GET /api/shop/invoices',
    'GET /api/shop/invoices/:id/pdf',
    'POST /api/shop/checkout',
    'GET /api/shop/checkout/:id',
    'GET /api/shop/downloads',
    'POST /api/shop/account/export',
    'DELETE /api/shop/account',
  ),
  ...session(
    'own',
    'GET /api/admin/auth/me',
    'POST /api/admin/auth/password',
    'POST /api/admin/auth/step-up',
    'POST /api/admin/auth/2fa/setup',
    'POST /api/admin/auth/2fa/enable',
    'POST /api/admin/auth/2fa/disable',
    'GET /api/admin/events/stream',
    'GET /api/admin/auth/sessions',
    'DELETE /api/admin/auth/sessions',
    'DELETE /api/admin/auth/sessions/:id',
  ),
  ...session('staff:view', 'GET /api/admin/staff'),
  ...session(
    'staff:manage',
    'POST /api/admin/staff',
    'PATCH /api/admin/staff/:id',
    'DELETE /api/admin/staff/:id',
    'POST /api/admin/staff/:id/reset-2fa',
  ),
  ...session('settings:view', 'GET /api/admin/machine-tokens', 'GET /api/admin/machine-tokens/:id'),
  ...session('settings:view', 'GET /api/admin/settings/signing-keys'),
  ...session(
    'settings:manage',
    'POST /api/admin/settings/signing-keys',
    'POST /api/admin/settings/signing-keys/:kid/promote',
    'POST /api/admin/settings/signing-keys/:kid/retire',
    'POST /api/admin/settings/signing-keys/:kid/compromise',
  ),
  ...session(
    'settings:manage',
    'POST /api/admin/machine-tokens',
    'POST /api/admin/machine-tokens/:id/revoke',
    'POST /api/admin/machine-tokens/:id/rotate',
  ),
  ...session('public', 'GET /api/webhooks/:id/keys'),
  ...session(
    'settings:view',
    'GET /api/admin/webhooks',
    'GET /api/admin/webhooks/events',
    'GET /api/admin/webhooks/:id',
    'GET /api/admin/webhooks/:id/deliveries',
  ),
  ...session(
    'settings:manage',
    'POST /api/admin/webhooks',
    'PATCH /api/admin/webhooks/:id',
    'DELETE /api/admin/webhooks/:id',
    'POST /api/admin/webhooks/:id/ping',
    'POST /api/admin/webhooks/:id/rotate-secret',
    'POST /api/admin/webhooks/deliveries/:id/redeliver',
  ),
  ...session(
    'audit:view',
    'GET /api/admin/audit',
    'GET /api/admin/audit/actions',
    'GET /api/admin/audit/verify',
    'GET /api/admin/audit/export',
  ),
  ...opened(
    'licenses:manage',
    'POST /api/admin/provisioning',
    'POST /api/admin/licenses',
    'POST /api/admin/licenses/:id/revoke',
    'POST /api/admin/licenses/:id/suspend',
    'POST /api/admin/licenses/:id/resume',
    'POST /api/admin/licenses/:id/extend',
    'POST /api/admin/licenses/:id/reissue',
  ),
  ...session('licenses:view', 'GET /api/admin/licenses/:id/history'),
  ...session('customers:view', 'GET /api/admin/customers/:id/history', 'GET /api/admin/search'),
  ...session('subscriptions:view', 'GET /api/admin/subscriptions/:id/history'),
  ...session('licenses:manage', 'POST /api/admin/licenses/:id/offline-lease'),
  ...opened(
    'licenses:view',
    'GET /api/admin/licenses',
    'GET /api/admin/licenses/:id',
    'GET /api/admin/licenses/:id/key',
  ),
  ...session(
    'own',
    'GET /api/admin/exports/:resource',
    'POST /api/admin/bulk',
    'GET /api/admin/bulk',
    'GET /api/admin/bulk/:id',
  ),
  ...session('settings:view', 'GET /api/admin/announcements', 'GET /api/admin/announcements/:id'),
  ...session(
    'settings:manage',
    'POST /api/admin/announcements',
    'PATCH /api/admin/announcements/:id',
    'DELETE /api/admin/announcements/:id',
  ),
  ...session(
    'settings:view',
    'GET /api/admin/settings',
    'GET /api/admin/metrics/summary',
    'GET /api/admin/metrics/series',
    'GET /api/admin/health',
  ),
  ...session('settings:manage', 'PATCH /api/admin/settings/:key'),
  ...session('versions:manage', 'GET /api/admin/versions', 'GET /api/admin/versions/:id'),
  ...opened('versions:manage', 'POST /api/admin/versions', 'POST /api/admin/versions/:id/artifacts'),
  ...session('versions:manage', 'POST /api/admin/versions/:id/publish', 'POST /api/admin/versions/:id/yank'),
  ...session('public', 'GET /api/versions/artifacts/:id'),
  ...opened('customers:view', 'GET /api/admin/customers', 'GET /api/admin/customers/:id'),
  ...opened(
    'customers:manage',
    'POST /api/admin/customers',
    'PATCH /api/admin/customers/:id',
    'PATCH /api/admin/customers/:id/status',
    'POST /api/admin/customers/:id/reset-password',
  ),
  ...session('customers:manage', 'POST /api/admin/customers/:id/erase', 'GET /api/admin/customers/:id/export'),
  ...opened('instances:view', 'GET /api/admin/instances', 'GET /api/admin/instances/:id'),
  ...opened('instances:manage', 'POST /api/admin/instances/:id/deactivate', 'POST /api/admin/instances/:id/reactivate'),
  ...session(
    'signed',
    'POST /api/v1/license/activate',
    'POST /api/v1/license/heartbeat',
    'POST /api/v1/license/deactivate',
    'GET /api/v1/license/versions',
  ),
  ...opened(
    'subscriptions:view',
    'GET /api/admin/subscriptions',
    'GET /api/admin/subscriptions/:id',
    'POST /api/admin/subscriptions/:id/change-preview',
  ),
  ...opened(
    'subscriptions:manage',
    'POST /api/admin/subscriptions',
    'PATCH /api/admin/subscriptions/:id',
    'POST /api/admin/subscriptions/:id/cancel',
  ),
  ...session(
    'subscriptions:manage',
    'POST /api/admin/subscriptions/:id/uncancel',
    'POST /api/admin/subscriptions/:id/pause',
    'POST /api/admin/subscriptions/:id/resume',
  ),
  ...opened(
    'payments:view',
    'GET /api/admin/subscriptions/:id/payments',
    'GET /api/admin/payments',
    'GET /api/admin/invoices',
  ),
  ...session('payments:view', 'GET /api/admin/invoices/:id/pdf', 'GET /api/admin/customers/:id/credits'),
  ...session(
    'payments:manage',
    'POST /api/admin/subscriptions/:id/payments',
    'POST /api/admin/payments/:id/refund',
    'POST /api/admin/customers/:id/credits',
  ),
  ...session('public', 'POST /api/webhooks/payments/:provider'),
  ...opened('plans:view', 'GET /api/admin/plans', 'GET /api/admin/plans/:id', 'GET /api/admin/plans/:id/versions'),
  ...opened(
    'plans:manage',
    'POST /api/admin/plans',
    'PATCH /api/admin/plans/:id',
    'POST /api/admin/plans/:id/activate',
    'POST /api/admin/plans/:id/deactivate',
    'POST /api/admin/plans/:id/clone',
  ),
  ...opened('features:view', 'GET /api/admin/features', 'GET /api/admin/features/:id'),
  ...opened(
    'features:manage',
    'POST /api/admin/features',
    'PATCH /api/admin/features/:id',
    'DELETE /api/admin/features/:id',
  ),
]

/** Routes that are not in the catalogue, listed here so that no other can be added unnoticed. */
export const EXEMPT: readonly string[] = [
  'GET /',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /metrics',
  'GET /api/health',
  'GET /api/health/ready',
]

/** The permissions of each role (contract, section 11). */
export const HOLDS: Readonly<Record<string, (permission: string) => boolean>> = {
  SUPERADMIN: () => true,
  BILLING: (permission) => /^(payments|subscriptions):/.test(permission) || permission === 'customers:view',
  SUPPORT: (permission) =>
    /^(licenses|instances):/.test(permission) || /^(customers|subscriptions):view$/.test(permission),
  RELEASE: (permission) => permission === 'versions:manage',
  AUDITOR: (permission) => permission.endsWith(':view'),
}
