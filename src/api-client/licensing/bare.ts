/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

/** Without the schemas of query and body: for what a bundle loads before it shows a form. */

import { operation } from '../operation.ts'

export const getAdminPlans: typeof import('./plans.ts').getAdminPlans = /*#__PURE__*/ operation(
  'GET /api/admin/plans',
  { openTo: ['staff', 'token'], permission: 'plans:view', walk: 'cursor' },
)

export const postAdminPlans: typeof import('./plans.ts').postAdminPlans = /*#__PURE__*/ operation(
  'POST /api/admin/plans',
  { openTo: ['staff', 'token'], permission: 'plans:manage' },
)

export const getAdminPlansById: typeof import('./plans.ts').getAdminPlansById = /*#__PURE__*/ operation(
  'GET /api/admin/plans/{id}',
  { openTo: ['staff', 'token'], permission: 'plans:view' },
)

export const patchAdminPlansById: typeof import('./plans.ts').patchAdminPlansById = /*#__PURE__*/ operation(
  'PATCH /api/admin/plans/{id}',
  { openTo: ['staff', 'token'], permission: 'plans:manage' },
)

export const getAdminPlansByIdVersions: typeof import('./plans.ts').getAdminPlansByIdVersions = /*#__PURE__*/ operation(
  'GET /api/admin/plans/{id}/versions',
  { openTo: ['staff', 'token'], permission: 'plans:view' },
)

export const postAdminPlansByIdActivate: typeof import('./plans.ts').postAdminPlansByIdActivate =
  /*#__PURE__*/ operation('POST /api/admin/plans/{id}/activate', {
    openTo: ['staff', 'token'],
    permission: 'plans:manage',
    from: { active: [false] },
  })

export const postAdminPlansByIdDeactivate: typeof import('./plans.ts').postAdminPlansByIdDeactivate =
  /*#__PURE__*/ operation('POST /api/admin/plans/{id}/deactivate', {
    openTo: ['staff', 'token'],
    permission: 'plans:manage',
    from: { active: [true] },
  })

export const postAdminPlansByIdClone: typeof import('./plans.ts').postAdminPlansByIdClone = /*#__PURE__*/ operation(
  'POST /api/admin/plans/{id}/clone',
  { openTo: ['staff', 'token'], permission: 'plans:manage' },
)

export const getAdminFeatures: typeof import('./features.ts').getAdminFeatures = /*#__PURE__*/ operation(
  'GET /api/admin/features',
  { openTo: ['staff', 'token'], permission: 'features:view', walk: 'cursor' },
)

export const postAdminFeatures: typeof import('./features.ts').postAdminFeatures = /*#__PURE__*/ operation(
  'POST /api/admin/features',
  { openTo: ['staff', 'token'], permission: 'features:manage' },
)

export const getAdminFeaturesById: typeof import('./features.ts').getAdminFeaturesById = /*#__PURE__*/ operation(
  'GET /api/admin/features/{id}',
  { openTo: ['staff', 'token'], permission: 'features:view' },
)

export const patchAdminFeaturesById: typeof import('./features.ts').patchAdminFeaturesById = /*#__PURE__*/ operation(
  'PATCH /api/admin/features/{id}',
  { openTo: ['staff', 'token'], permission: 'features:manage' },
)

export const deleteAdminFeaturesById: typeof import('./features.ts').deleteAdminFeaturesById = /*#__PURE__*/ operation(
  'DELETE /api/admin/features/{id}',
  { openTo: ['staff', 'token'], permission: 'features:manage' },
)

export const getAdminStaff: typeof import('./staff.ts').getAdminStaff = /*#__PURE__*/ operation(
  'GET /api/admin/staff',
  { openTo: ['staff'], permission: 'staff:view', walk: 'cursor' },
)

export const postAdminStaff: typeof import('./staff.ts').postAdminStaff = /*#__PURE__*/ operation(
  'POST /api/admin/staff',
  { openTo: ['staff'], permission: 'staff:manage', stepUp: true, shownOnce: ['link'] },
)

export const patchAdminStaffById: typeof import('./staff.ts').patchAdminStaffById = /*#__PURE__*/ operation(
  'PATCH /api/admin/staff/{id}',
  { openTo: ['staff'], permission: 'staff:manage', stepUp: true },
)

export const deleteAdminStaffById: typeof import('./staff.ts').deleteAdminStaffById = /*#__PURE__*/ operation(
  'DELETE /api/admin/staff/{id}',
  { openTo: ['staff'], permission: 'staff:manage', stepUp: true },
)

export const postAdminStaffByIdReset2fa: typeof import('./staff.ts').postAdminStaffByIdReset2fa =
  /*#__PURE__*/ operation('POST /api/admin/staff/{id}/reset-2fa', {
    openTo: ['staff'],
    permission: 'staff:manage',
    stepUp: true,
    from: { totpEnabled: [true] },
  })

export const postAdminAuthLogin: typeof import('./auth.ts').postAdminAuthLogin = /*#__PURE__*/ operation(
  'POST /api/admin/auth/login',
  { openTo: [] },
)

export const postAdminAuthRefresh: typeof import('./auth.ts').postAdminAuthRefresh = /*#__PURE__*/ operation(
  'POST /api/admin/auth/refresh',
  { openTo: [] },
)

export const postAdminAuthLogout: typeof import('./auth.ts').postAdminAuthLogout = /*#__PURE__*/ operation(
  'POST /api/admin/auth/logout',
  { openTo: [] },
)

export const postAdminAuthPassword: typeof import('./auth.ts').postAdminAuthPassword = /*#__PURE__*/ operation(
  'POST /api/admin/auth/password',
  { openTo: ['staff'] },
)

export const getAdminAuthMe: typeof import('./auth.ts').getAdminAuthMe = /*#__PURE__*/ operation(
  'GET /api/admin/auth/me',
  { openTo: ['staff'] },
)

export const postAdminAuthSetPassword: typeof import('./auth.ts').postAdminAuthSetPassword = /*#__PURE__*/ operation(
  'POST /api/admin/auth/set-password',
  { openTo: [] },
)

export const postAdminAuthStepUp: typeof import('./auth.ts').postAdminAuthStepUp = /*#__PURE__*/ operation(
  'POST /api/admin/auth/step-up',
  { openTo: ['staff'] },
)

export const postAdminAuth2faSetup: typeof import('./auth.ts').postAdminAuth2faSetup = /*#__PURE__*/ operation(
  'POST /api/admin/auth/2fa/setup',
  { openTo: ['staff'], shownOnce: ['secret', 'otpauthUrl'] },
)

export const postAdminAuth2faEnable: typeof import('./auth.ts').postAdminAuth2faEnable = /*#__PURE__*/ operation(
  'POST /api/admin/auth/2fa/enable',
  { openTo: ['staff'], shownOnce: ['backupCodes'] },
)

export const postAdminAuth2faDisable: typeof import('./auth.ts').postAdminAuth2faDisable = /*#__PURE__*/ operation(
  'POST /api/admin/auth/2fa/disable',
  { openTo: ['staff'] },
)

export const getAdminAuthSessions: typeof import('./auth.ts').getAdminAuthSessions = /*#__PURE__*/ operation(
  'GET /api/admin/auth/sessions',
  { openTo: ['staff'], walk: 'cursor' },
)

export const deleteAdminAuthSessions: typeof import('./auth.ts').deleteAdminAuthSessions = /*#__PURE__*/ operation(
  'DELETE /api/admin/auth/sessions',
  { openTo: ['staff'] },
)

export const deleteAdminAuthSessionsById: typeof import('./auth.ts').deleteAdminAuthSessionsById =
  /*#__PURE__*/ operation('DELETE /api/admin/auth/sessions/{id}', { openTo: ['staff'] })

export const getAdminMachineTokens: typeof import('./machine-tokens.ts').getAdminMachineTokens =
  /*#__PURE__*/ operation('GET /api/admin/machine-tokens', {
    openTo: ['staff'],
    permission: 'settings:view',
    walk: 'cursor',
  })

export const postAdminMachineTokens: typeof import('./machine-tokens.ts').postAdminMachineTokens =
  /*#__PURE__*/ operation('POST /api/admin/machine-tokens', {
    openTo: ['staff'],
    permission: 'settings:manage',
    stepUp: true,
    shownOnce: ['secret'],
  })

export const getAdminMachineTokensById: typeof import('./machine-tokens.ts').getAdminMachineTokensById =
  /*#__PURE__*/ operation('GET /api/admin/machine-tokens/{id}', { openTo: ['staff'], permission: 'settings:view' })

export const postAdminMachineTokensByIdRevoke: typeof import('./machine-tokens.ts').postAdminMachineTokensByIdRevoke =
  /*#__PURE__*/ operation('POST /api/admin/machine-tokens/{id}/revoke', {
    openTo: ['staff'],
    permission: 'settings:manage',
    from: { status: ['ACTIVE'] },
  })

export const postAdminMachineTokensByIdRotate: typeof import('./machine-tokens.ts').postAdminMachineTokensByIdRotate =
  /*#__PURE__*/ operation('POST /api/admin/machine-tokens/{id}/rotate', {
    openTo: ['staff'],
    permission: 'settings:manage',
    stepUp: true,
    from: { status: ['ACTIVE'] },
    shownOnce: ['secret'],
  })

export const getAdminCustomers: typeof import('./customers.ts').getAdminCustomers = /*#__PURE__*/ operation(
  'GET /api/admin/customers',
  { openTo: ['staff', 'token'], permission: 'customers:view', walk: 'cursor' },
)

export const postAdminCustomers: typeof import('./customers.ts').postAdminCustomers = /*#__PURE__*/ operation(
  'POST /api/admin/customers',
  { openTo: ['staff', 'token'], permission: 'customers:manage' },
)

export const getAdminCustomersById: typeof import('./customers.ts').getAdminCustomersById = /*#__PURE__*/ operation(
  'GET /api/admin/customers/{id}',
  { openTo: ['staff', 'token'], permission: 'customers:view' },
)

export const patchAdminCustomersById: typeof import('./customers.ts').patchAdminCustomersById = /*#__PURE__*/ operation(
  'PATCH /api/admin/customers/{id}',
  { openTo: ['staff', 'token'], permission: 'customers:manage', from: { status: ['ACTIVE'] } },
)

export const patchAdminCustomersByIdStatus: typeof import('./customers.ts').patchAdminCustomersByIdStatus =
  /*#__PURE__*/ operation('PATCH /api/admin/customers/{id}/status', {
    openTo: ['staff', 'token'],
    permission: 'customers:manage',
    from: { status: ['ACTIVE', 'SUSPENDED'] },
  })

export const postAdminCustomersByIdResetPassword: typeof import('./customers.ts').postAdminCustomersByIdResetPassword =
  /*#__PURE__*/ operation('POST /api/admin/customers/{id}/reset-password', {
    openTo: ['staff', 'token'],
    permission: 'customers:manage',
    from: { status: ['ACTIVE'] },
  })

export const postAdminCustomersByIdErase: typeof import('./customers.ts').postAdminCustomersByIdErase =
  /*#__PURE__*/ operation('POST /api/admin/customers/{id}/erase', {
    openTo: ['staff'],
    permission: 'customers:manage',
    stepUp: true,
    from: { status: ['ACTIVE', 'SUSPENDED'] },
  })

export const getAdminCustomersByIdExport: typeof import('./customers.ts').getAdminCustomersByIdExport =
  /*#__PURE__*/ operation('GET /api/admin/customers/{id}/export', { openTo: ['staff'], permission: 'customers:manage' })

export const getAdminCustomersByIdHistory: typeof import('./customers.ts').getAdminCustomersByIdHistory =
  /*#__PURE__*/ operation('GET /api/admin/customers/{id}/history', {
    openTo: ['staff'],
    permission: 'customers:view',
    walk: 'cursor',
  })

export const getAdminCustomersByIdCredits: typeof import('./customers.ts').getAdminCustomersByIdCredits =
  /*#__PURE__*/ operation('GET /api/admin/customers/{id}/credits', {
    openTo: ['staff'],
    permission: 'payments:view',
    walk: 'cursor',
  })

export const postAdminCustomersByIdCredits: typeof import('./customers.ts').postAdminCustomersByIdCredits =
  /*#__PURE__*/ operation('POST /api/admin/customers/{id}/credits', {
    openTo: ['staff'],
    permission: 'payments:manage',
    stepUp: true,
    from: { status: ['ACTIVE', 'SUSPENDED'] },
  })

export const postAdminSubscriptions: typeof import('./subscriptions.ts').postAdminSubscriptions =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions', {
    openTo: ['staff', 'token'],
    permission: 'subscriptions:manage',
  })

export const getAdminSubscriptions: typeof import('./subscriptions.ts').getAdminSubscriptions = /*#__PURE__*/ operation(
  'GET /api/admin/subscriptions',
  { openTo: ['staff', 'token'], permission: 'subscriptions:view', walk: 'cursor' },
)

export const patchAdminSubscriptionsById: typeof import('./subscriptions.ts').patchAdminSubscriptionsById =
  /*#__PURE__*/ operation('PATCH /api/admin/subscriptions/{id}', {
    openTo: ['staff', 'token'],
    permission: 'subscriptions:manage',
    from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  })

export const getAdminSubscriptionsById: typeof import('./subscriptions.ts').getAdminSubscriptionsById =
  /*#__PURE__*/ operation('GET /api/admin/subscriptions/{id}', {
    openTo: ['staff', 'token'],
    permission: 'subscriptions:view',
  })

export const postAdminSubscriptionsByIdChangePreview: typeof import('./subscriptions.ts').postAdminSubscriptionsByIdChangePreview =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions/{id}/change-preview', {
    openTo: ['staff', 'token'],
    permission: 'subscriptions:view',
    from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  })

export const postAdminSubscriptionsByIdCancel: typeof import('./subscriptions.ts').postAdminSubscriptionsByIdCancel =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions/{id}/cancel', {
    openTo: ['staff', 'token'],
    permission: 'subscriptions:manage',
    from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
  })

export const postAdminSubscriptionsByIdUncancel: typeof import('./subscriptions.ts').postAdminSubscriptionsByIdUncancel =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions/{id}/uncancel', {
    openTo: ['staff'],
    permission: 'subscriptions:manage',
    from: { cancelAtPeriodEnd: [true] },
  })

export const postAdminSubscriptionsByIdPause: typeof import('./subscriptions.ts').postAdminSubscriptionsByIdPause =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions/{id}/pause', {
    openTo: ['staff'],
    permission: 'subscriptions:manage',
    from: { status: ['ACTIVE'] },
  })

export const postAdminSubscriptionsByIdResume: typeof import('./subscriptions.ts').postAdminSubscriptionsByIdResume =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions/{id}/resume', {
    openTo: ['staff'],
    permission: 'subscriptions:manage',
    from: { status: ['PAUSED'] },
  })

export const getAdminSubscriptionsByIdHistory: typeof import('./subscriptions.ts').getAdminSubscriptionsByIdHistory =
  /*#__PURE__*/ operation('GET /api/admin/subscriptions/{id}/history', {
    openTo: ['staff'],
    permission: 'subscriptions:view',
    walk: 'cursor',
  })

export const getAdminSubscriptionsByIdPayments: typeof import('./subscriptions.ts').getAdminSubscriptionsByIdPayments =
  /*#__PURE__*/ operation('GET /api/admin/subscriptions/{id}/payments', {
    openTo: ['staff', 'token'],
    permission: 'payments:view',
    walk: 'cursor',
  })

export const postAdminSubscriptionsByIdPayments: typeof import('./subscriptions.ts').postAdminSubscriptionsByIdPayments =
  /*#__PURE__*/ operation('POST /api/admin/subscriptions/{id}/payments', {
    openTo: ['staff'],
    permission: 'payments:manage',
    from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
  })

export const getAdminLicenses: typeof import('./licenses.ts').getAdminLicenses = /*#__PURE__*/ operation(
  'GET /api/admin/licenses',
  { openTo: ['staff', 'token'], permission: 'licenses:view', walk: 'cursor' },
)

export const postAdminLicenses: typeof import('./licenses.ts').postAdminLicenses = /*#__PURE__*/ operation(
  'POST /api/admin/licenses',
  { openTo: ['staff', 'token'], permission: 'licenses:manage', shownOnce: ['licenseKey'] },
)

export const getAdminLicensesById: typeof import('./licenses.ts').getAdminLicensesById = /*#__PURE__*/ operation(
  'GET /api/admin/licenses/{id}',
  { openTo: ['staff', 'token'], permission: 'licenses:view' },
)

export const getAdminLicensesByIdKey: typeof import('./licenses.ts').getAdminLicensesByIdKey = /*#__PURE__*/ operation(
  'GET /api/admin/licenses/{id}/key',
  { openTo: ['staff', 'token'], permission: 'licenses:view' },
)

export const postAdminLicensesByIdOfflineLease: typeof import('./licenses.ts').postAdminLicensesByIdOfflineLease =
  /*#__PURE__*/ operation('POST /api/admin/licenses/{id}/offline-lease', {
    openTo: ['staff'],
    permission: 'licenses:manage',
    from: { effectiveStatus: ['ACTIVE', 'GRACE'] },
    shownOnce: ['licenseKey', 'lease'],
  })

export const postAdminLicensesByIdRevoke: typeof import('./licenses.ts').postAdminLicensesByIdRevoke =
  /*#__PURE__*/ operation('POST /api/admin/licenses/{id}/revoke', {
    openTo: ['staff', 'token'],
    permission: 'licenses:manage',
    from: { status: ['ACTIVE', 'SUSPENDED'] },
  })

export const postAdminLicensesByIdSuspend: typeof import('./licenses.ts').postAdminLicensesByIdSuspend =
  /*#__PURE__*/ operation('POST /api/admin/licenses/{id}/suspend', {
    openTo: ['staff', 'token'],
    permission: 'licenses:manage',
    from: { status: ['ACTIVE'] },
  })

export const postAdminLicensesByIdResume: typeof import('./licenses.ts').postAdminLicensesByIdResume =
  /*#__PURE__*/ operation('POST /api/admin/licenses/{id}/resume', {
    openTo: ['staff', 'token'],
    permission: 'licenses:manage',
    from: { status: ['SUSPENDED'] },
    shownOnce: ['licenseKey'],
  })

export const postAdminLicensesByIdExtend: typeof import('./licenses.ts').postAdminLicensesByIdExtend =
  /*#__PURE__*/ operation('POST /api/admin/licenses/{id}/extend', {
    openTo: ['staff', 'token'],
    permission: 'licenses:manage',
    from: { status: ['ACTIVE', 'SUSPENDED'] },
    shownOnce: ['licenseKey'],
  })

export const postAdminLicensesByIdReissue: typeof import('./licenses.ts').postAdminLicensesByIdReissue =
  /*#__PURE__*/ operation('POST /api/admin/licenses/{id}/reissue', {
    openTo: ['staff', 'token'],
    permission: 'licenses:manage',
    from: { status: ['ACTIVE', 'SUSPENDED'] },
    shownOnce: ['licenseKey'],
  })

export const getAdminLicensesByIdHistory: typeof import('./licenses.ts').getAdminLicensesByIdHistory =
  /*#__PURE__*/ operation('GET /api/admin/licenses/{id}/history', {
    openTo: ['staff'],
    permission: 'licenses:view',
    walk: 'cursor',
  })

export const getAdminPayments: typeof import('./payments.ts').getAdminPayments = /*#__PURE__*/ operation(
  'GET /api/admin/payments',
  { openTo: ['staff', 'token'], permission: 'payments:view', walk: 'cursor' },
)

export const postAdminPaymentsByIdRefund: typeof import('./payments.ts').postAdminPaymentsByIdRefund =
  /*#__PURE__*/ operation('POST /api/admin/payments/{id}/refund', {
    openTo: ['staff'],
    permission: 'payments:manage',
    stepUp: true,
    from: { type: ['CHARGE'], status: ['PAID', 'PARTIALLY_REFUNDED'] },
  })

export const postWebhooksPaymentsByProvider: typeof import('./webhooks.ts').postWebhooksPaymentsByProvider =
  /*#__PURE__*/ operation('POST /api/webhooks/payments/{provider}', { openTo: [] })

export const getAdminWebhooksEvents: typeof import('./webhooks.ts').getAdminWebhooksEvents = /*#__PURE__*/ operation(
  'GET /api/admin/webhooks/events',
  { openTo: ['staff'], permission: 'settings:view' },
)

export const getAdminWebhooks: typeof import('./webhooks.ts').getAdminWebhooks = /*#__PURE__*/ operation(
  'GET /api/admin/webhooks',
  { openTo: ['staff'], permission: 'settings:view', walk: 'cursor' },
)

export const postAdminWebhooks: typeof import('./webhooks.ts').postAdminWebhooks = /*#__PURE__*/ operation(
  'POST /api/admin/webhooks',
  { openTo: ['staff'], permission: 'settings:manage', shownOnce: ['secret'] },
)

export const getAdminWebhooksById: typeof import('./webhooks.ts').getAdminWebhooksById = /*#__PURE__*/ operation(
  'GET /api/admin/webhooks/{id}',
  { openTo: ['staff'], permission: 'settings:view' },
)

export const patchAdminWebhooksById: typeof import('./webhooks.ts').patchAdminWebhooksById = /*#__PURE__*/ operation(
  'PATCH /api/admin/webhooks/{id}',
  { openTo: ['staff'], permission: 'settings:manage' },
)

export const deleteAdminWebhooksById: typeof import('./webhooks.ts').deleteAdminWebhooksById = /*#__PURE__*/ operation(
  'DELETE /api/admin/webhooks/{id}',
  { openTo: ['staff'], permission: 'settings:manage' },
)

export const postAdminWebhooksByIdPing: typeof import('./webhooks.ts').postAdminWebhooksByIdPing =
  /*#__PURE__*/ operation('POST /api/admin/webhooks/{id}/ping', {
    openTo: ['staff'],
    permission: 'settings:manage',
    from: { status: ['PENDING', 'ACTIVE'] },
  })

export const postAdminWebhooksByIdRotateSecret: typeof import('./webhooks.ts').postAdminWebhooksByIdRotateSecret =
  /*#__PURE__*/ operation('POST /api/admin/webhooks/{id}/rotate-secret', {
    openTo: ['staff'],
    permission: 'settings:manage',
    shownOnce: ['secret'],
  })

export const getAdminWebhooksByIdDeliveries: typeof import('./webhooks.ts').getAdminWebhooksByIdDeliveries =
  /*#__PURE__*/ operation('GET /api/admin/webhooks/{id}/deliveries', {
    openTo: ['staff'],
    permission: 'settings:view',
    walk: 'cursor',
  })

export const postAdminWebhooksDeliveriesByIdRedeliver: typeof import('./webhooks.ts').postAdminWebhooksDeliveriesByIdRedeliver =
  /*#__PURE__*/ operation('POST /api/admin/webhooks/deliveries/{id}/redeliver', {
    openTo: ['staff'],
    permission: 'settings:manage',
  })

export const getWebhooksByIdKeys: typeof import('./webhooks.ts').getWebhooksByIdKeys = /*#__PURE__*/ operation(
  'GET /api/webhooks/{id}/keys',
  { openTo: [] },
)

export const getAdminInvoices: typeof import('./invoices.ts').getAdminInvoices = /*#__PURE__*/ operation(
  'GET /api/admin/invoices',
  { openTo: ['staff', 'token'], permission: 'payments:view', walk: 'cursor' },
)

export const getAdminInvoicesByIdPdf: typeof import('./invoices.ts').getAdminInvoicesByIdPdf = /*#__PURE__*/ operation(
  'GET /api/admin/invoices/{id}/pdf',
  { openTo: ['staff'], permission: 'payments:view', answers: 'stream' },
)

export const postAdminProvisioning: typeof import('./provisioning.ts').postAdminProvisioning = /*#__PURE__*/ operation(
  'POST /api/admin/provisioning',
  { openTo: ['staff', 'token'], permission: 'licenses:manage', shownOnce: ['licenseKey', 'installCommand'] },
)

export const getInstallSh: typeof import('./install-sh.ts').getInstallSh = /*#__PURE__*/ operation('GET /install.sh', {
  openTo: [],
  answers: 'stream',
})

export const postShopAuthRegister: typeof import('./shop.ts').postShopAuthRegister = /*#__PURE__*/ operation(
  'POST /api/shop/auth/register',
  { openTo: [] },
)

export const postShopAuthVerifyEmail: typeof import('./shop.ts').postShopAuthVerifyEmail = /*#__PURE__*/ operation(
  'POST /api/shop/auth/verify-email',
  { openTo: [] },
)

export const postShopAuthForgotPassword: typeof import('./shop.ts').postShopAuthForgotPassword =
  /*#__PURE__*/ operation('POST /api/shop/auth/forgot-password', { openTo: [] })

export const postShopAuthResetPassword: typeof import('./shop.ts').postShopAuthResetPassword = /*#__PURE__*/ operation(
  'POST /api/shop/auth/reset-password',
  { openTo: [] },
)

export const postShopAuthLogin: typeof import('./shop.ts').postShopAuthLogin = /*#__PURE__*/ operation(
  'POST /api/shop/auth/login',
  { openTo: [] },
)

export const postShopAuthRefresh: typeof import('./shop.ts').postShopAuthRefresh = /*#__PURE__*/ operation(
  'POST /api/shop/auth/refresh',
  { openTo: [] },
)

export const postShopAuthLogout: typeof import('./shop.ts').postShopAuthLogout = /*#__PURE__*/ operation(
  'POST /api/shop/auth/logout',
  { openTo: [] },
)

export const postShopAuthPassword: typeof import('./shop.ts').postShopAuthPassword = /*#__PURE__*/ operation(
  'POST /api/shop/auth/password',
  { openTo: ['customer'] },
)

export const postShopAuthStepUp: typeof import('./shop.ts').postShopAuthStepUp = /*#__PURE__*/ operation(
  'POST /api/shop/auth/step-up',
  { openTo: ['customer'] },
)

export const postShopAuth2faSetup: typeof import('./shop.ts').postShopAuth2faSetup = /*#__PURE__*/ operation(
  'POST /api/shop/auth/2fa/setup',
  { openTo: ['customer'], shownOnce: ['secret', 'otpauthUrl'] },
)

export const postShopAuth2faEnable: typeof import('./shop.ts').postShopAuth2faEnable = /*#__PURE__*/ operation(
  'POST /api/shop/auth/2fa/enable',
  { openTo: ['customer'], shownOnce: ['backupCodes'] },
)

export const postShopAuth2faDisable: typeof import('./shop.ts').postShopAuth2faDisable = /*#__PURE__*/ operation(
  'POST /api/shop/auth/2fa/disable',
  { openTo: ['customer'] },
)

export const getShopMe: typeof import('./shop.ts').getShopMe = /*#__PURE__*/ operation('GET /api/shop/me', {
  openTo: ['customer'],
})

export const patchShopMe: typeof import('./shop.ts').patchShopMe = /*#__PURE__*/ operation('PATCH /api/shop/me', {
  openTo: ['customer'],
})

export const getShopPlans: typeof import('./shop.ts').getShopPlans = /*#__PURE__*/ operation('GET /api/shop/plans', {
  openTo: [],
  walk: 'cursor',
})

export const getShopSubscriptions: typeof import('./shop.ts').getShopSubscriptions = /*#__PURE__*/ operation(
  'GET /api/shop/subscriptions',
  { openTo: ['customer'], walk: 'cursor' },
)

export const getShopSubscriptionsById: typeof import('./shop.ts').getShopSubscriptionsById = /*#__PURE__*/ operation(
  'GET /api/shop/subscriptions/{id}',
  { openTo: ['customer'] },
)

export const patchShopSubscriptionsById: typeof import('./shop.ts').patchShopSubscriptionsById =
  /*#__PURE__*/ operation('PATCH /api/shop/subscriptions/{id}', {
    openTo: ['customer'],
    from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  })

export const getShopSubscriptionsByIdPayments: typeof import('./shop.ts').getShopSubscriptionsByIdPayments =
  /*#__PURE__*/ operation('GET /api/shop/subscriptions/{id}/payments', { openTo: ['customer'], walk: 'cursor' })

export const postShopSubscriptionsByIdChangePreview: typeof import('./shop.ts').postShopSubscriptionsByIdChangePreview =
  /*#__PURE__*/ operation('POST /api/shop/subscriptions/{id}/change-preview', {
    openTo: ['customer'],
    from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  })

export const postShopSubscriptionsByIdCancel: typeof import('./shop.ts').postShopSubscriptionsByIdCancel =
  /*#__PURE__*/ operation('POST /api/shop/subscriptions/{id}/cancel', {
    openTo: ['customer'],
    from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
  })

export const getShopLicenses: typeof import('./shop.ts').getShopLicenses = /*#__PURE__*/ operation(
  'GET /api/shop/licenses',
  { openTo: ['customer'], walk: 'cursor' },
)

export const getShopLicensesById: typeof import('./shop.ts').getShopLicensesById = /*#__PURE__*/ operation(
  'GET /api/shop/licenses/{id}',
  { openTo: ['customer'] },
)

export const getShopLicensesByIdKey: typeof import('./shop.ts').getShopLicensesByIdKey = /*#__PURE__*/ operation(
  'GET /api/shop/licenses/{id}/key',
  { openTo: ['customer'], stepUp: true },
)

export const postShopLicensesByIdOfflineActivation: typeof import('./shop.ts').postShopLicensesByIdOfflineActivation =
  /*#__PURE__*/ operation('POST /api/shop/licenses/{id}/offline-activation', {
    openTo: ['customer'],
    stepUp: true,
    from: { effectiveStatus: ['ACTIVE', 'GRACE'] },
    shownOnce: ['licenseKey', 'lease'],
  })

export const postShopLicensesByIdRotate: typeof import('./shop.ts').postShopLicensesByIdRotate =
  /*#__PURE__*/ operation('POST /api/shop/licenses/{id}/rotate', {
    openTo: ['customer'],
    stepUp: true,
    from: { status: ['ACTIVE', 'SUSPENDED'] },
    shownOnce: ['licenseKey'],
  })

export const getShopInstances: typeof import('./shop.ts').getShopInstances = /*#__PURE__*/ operation(
  'GET /api/shop/instances',
  { openTo: ['customer'], walk: 'cursor' },
)

export const postShopInstancesByIdDeactivate: typeof import('./shop.ts').postShopInstancesByIdDeactivate =
  /*#__PURE__*/ operation('POST /api/shop/instances/{id}/deactivate', {
    openTo: ['customer'],
    from: { status: ['ACTIVE', 'STALE'] },
  })

export const getShopInvoices: typeof import('./shop.ts').getShopInvoices = /*#__PURE__*/ operation(
  'GET /api/shop/invoices',
  { openTo: ['customer'], walk: 'cursor' },
)

export const getShopInvoicesByIdPdf: typeof import('./shop.ts').getShopInvoicesByIdPdf = /*#__PURE__*/ operation(
  'GET /api/shop/invoices/{id}/pdf',
  { openTo: ['customer'], answers: 'stream' },
)

export const postShopCheckout: typeof import('./shop.ts').postShopCheckout = /*#__PURE__*/ operation(
  'POST /api/shop/checkout',
  { openTo: ['customer'] },
)

export const getShopCheckoutById: typeof import('./shop.ts').getShopCheckoutById = /*#__PURE__*/ operation(
  'GET /api/shop/checkout/{id}',
  { openTo: ['customer'] },
)

export const getShopDownloads: typeof import('./shop.ts').getShopDownloads = /*#__PURE__*/ operation(
  'GET /api/shop/downloads',
  { openTo: ['customer'] },
)

export const postShopAccountExport: typeof import('./shop.ts').postShopAccountExport = /*#__PURE__*/ operation(
  'POST /api/shop/account/export',
  {
    openTo: ['customer'],
    stepUp: true,
    shownOnce: [
      'exportedAt',
      'customer',
      'subscriptions',
      'licenses',
      'instances',
      'payments',
      'invoices',
      'audit',
      'auditTotal',
    ],
  },
)

export const deleteShopAccount: typeof import('./shop.ts').deleteShopAccount = /*#__PURE__*/ operation(
  'DELETE /api/shop/account',
  { openTo: ['customer'], stepUp: true },
)

export const getShopAnnouncements: typeof import('./shop.ts').getShopAnnouncements = /*#__PURE__*/ operation(
  'GET /api/shop/announcements',
  { openTo: ['customer'], walk: 'cursor' },
)

export const getAdminVersions: typeof import('./versions.ts').getAdminVersions = /*#__PURE__*/ operation(
  'GET /api/admin/versions',
  { openTo: ['staff'], permission: 'versions:manage', walk: 'cursor' },
)

export const postAdminVersions: typeof import('./versions.ts').postAdminVersions = /*#__PURE__*/ operation(
  'POST /api/admin/versions',
  { openTo: ['staff', 'token'], permission: 'versions:manage' },
)

export const getAdminVersionsById: typeof import('./versions.ts').getAdminVersionsById = /*#__PURE__*/ operation(
  'GET /api/admin/versions/{id}',
  { openTo: ['staff'], permission: 'versions:manage' },
)

export const postAdminVersionsByIdArtifacts: typeof import('./versions.ts').postAdminVersionsByIdArtifacts =
  /*#__PURE__*/ operation('POST /api/admin/versions/{id}/artifacts', {
    openTo: ['staff', 'token'],
    permission: 'versions:manage',
    from: { status: ['DRAFT'] },
    sends: 'bytes',
  })

export const postAdminVersionsByIdPublish: typeof import('./versions.ts').postAdminVersionsByIdPublish =
  /*#__PURE__*/ operation('POST /api/admin/versions/{id}/publish', {
    openTo: ['staff'],
    permission: 'versions:manage',
    from: { status: ['DRAFT'] },
  })

export const postAdminVersionsByIdYank: typeof import('./versions.ts').postAdminVersionsByIdYank =
  /*#__PURE__*/ operation('POST /api/admin/versions/{id}/yank', {
    openTo: ['staff'],
    permission: 'versions:manage',
    from: { status: ['DRAFT', 'PUBLISHED'] },
  })

export const getVersionsArtifactsById: typeof import('./versions.ts').getVersionsArtifactsById =
  /*#__PURE__*/ operation('GET /api/versions/artifacts/{id}', { openTo: [], answers: 'stream' })

export const getAdminSettings: typeof import('./settings.ts').getAdminSettings = /*#__PURE__*/ operation(
  'GET /api/admin/settings',
  { openTo: ['staff'], permission: 'settings:view' },
)

export const patchAdminSettingsByKey: typeof import('./settings.ts').patchAdminSettingsByKey = /*#__PURE__*/ operation(
  'PATCH /api/admin/settings/{key}',
  { openTo: ['staff'], permission: 'settings:manage', stepUp: true },
)

export const getAdminSettingsSigningKeys: typeof import('./settings.ts').getAdminSettingsSigningKeys =
  /*#__PURE__*/ operation('GET /api/admin/settings/signing-keys', { openTo: ['staff'], permission: 'settings:view' })

export const postAdminSettingsSigningKeys: typeof import('./settings.ts').postAdminSettingsSigningKeys =
  /*#__PURE__*/ operation('POST /api/admin/settings/signing-keys', {
    openTo: ['staff'],
    permission: 'settings:manage',
    stepUp: true,
  })

export const postAdminSettingsSigningKeysByKidPromote: typeof import('./settings.ts').postAdminSettingsSigningKeysByKidPromote =
  /*#__PURE__*/ operation('POST /api/admin/settings/signing-keys/{kid}/promote', {
    openTo: ['staff'],
    permission: 'settings:manage',
    stepUp: true,
    from: { state: ['next'] },
  })

export const postAdminSettingsSigningKeysByKidRetire: typeof import('./settings.ts').postAdminSettingsSigningKeysByKidRetire =
  /*#__PURE__*/ operation('POST /api/admin/settings/signing-keys/{kid}/retire', {
    openTo: ['staff'],
    permission: 'settings:manage',
    stepUp: true,
    from: { state: ['next', 'retiring'] },
  })

export const postAdminSettingsSigningKeysByKidCompromise: typeof import('./settings.ts').postAdminSettingsSigningKeysByKidCompromise =
  /*#__PURE__*/ operation('POST /api/admin/settings/signing-keys/{kid}/compromise', {
    openTo: ['staff'],
    permission: 'settings:manage',
    stepUp: true,
    from: { state: ['next', 'current', 'retiring', 'retired'] },
  })

export const getAdminAnnouncements: typeof import('./announcements.ts').getAdminAnnouncements = /*#__PURE__*/ operation(
  'GET /api/admin/announcements',
  { openTo: ['staff'], permission: 'settings:view', walk: 'cursor' },
)

export const postAdminAnnouncements: typeof import('./announcements.ts').postAdminAnnouncements =
  /*#__PURE__*/ operation('POST /api/admin/announcements', { openTo: ['staff'], permission: 'settings:manage' })

export const getAdminAnnouncementsById: typeof import('./announcements.ts').getAdminAnnouncementsById =
  /*#__PURE__*/ operation('GET /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:view' })

export const patchAdminAnnouncementsById: typeof import('./announcements.ts').patchAdminAnnouncementsById =
  /*#__PURE__*/ operation('PATCH /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:manage' })

export const deleteAdminAnnouncementsById: typeof import('./announcements.ts').deleteAdminAnnouncementsById =
  /*#__PURE__*/ operation('DELETE /api/admin/announcements/{id}', { openTo: ['staff'], permission: 'settings:manage' })

export const postAdminBulk: typeof import('./bulk.ts').postAdminBulk = /*#__PURE__*/ operation('POST /api/admin/bulk', {
  openTo: ['staff'],
})

export const getAdminBulk: typeof import('./bulk.ts').getAdminBulk = /*#__PURE__*/ operation('GET /api/admin/bulk', {
  openTo: ['staff'],
  walk: 'cursor',
})

export const getAdminBulkById: typeof import('./bulk.ts').getAdminBulkById = /*#__PURE__*/ operation(
  'GET /api/admin/bulk/{id}',
  { openTo: ['staff'] },
)

export const getAdminExportsByResource: typeof import('./exports.ts').getAdminExportsByResource =
  /*#__PURE__*/ operation('GET /api/admin/exports/{resource}', { openTo: ['staff'], answers: 'stream' })

export const getAdminMetricsSummary: typeof import('./metrics.ts').getAdminMetricsSummary = /*#__PURE__*/ operation(
  'GET /api/admin/metrics/summary',
  { openTo: ['staff'], permission: 'settings:view' },
)

export const getAdminMetricsSeries: typeof import('./metrics.ts').getAdminMetricsSeries = /*#__PURE__*/ operation(
  'GET /api/admin/metrics/series',
  { openTo: ['staff'], permission: 'settings:view' },
)

export const getMetrics: typeof import('./metrics.ts').getMetrics = /*#__PURE__*/ operation('GET /metrics', {
  openTo: [],
  answers: 'stream',
})

export const getAdminEventsStream: typeof import('./events.ts').getAdminEventsStream = /*#__PURE__*/ operation(
  'GET /api/admin/events/stream',
  { openTo: ['staff'], answers: 'stream' },
)

export const getAdminHealth: typeof import('./health.ts').getAdminHealth = /*#__PURE__*/ operation(
  'GET /api/admin/health',
  { openTo: ['staff'], permission: 'settings:view' },
)

export const getHealth: typeof import('./health.ts').getHealth = /*#__PURE__*/ operation('GET /api/health', {
  openTo: [],
})

export const getHealthReady: typeof import('./health.ts').getHealthReady = /*#__PURE__*/ operation(
  'GET /api/health/ready',
  { openTo: [] },
)

export const getAdminSearch: typeof import('./search.ts').getAdminSearch = /*#__PURE__*/ operation(
  'GET /api/admin/search',
  { openTo: ['staff'], permission: 'customers:view' },
)

export const getAdminInstances: typeof import('./instances.ts').getAdminInstances = /*#__PURE__*/ operation(
  'GET /api/admin/instances',
  { openTo: ['staff', 'token'], permission: 'instances:view', walk: 'cursor' },
)

export const getAdminInstancesById: typeof import('./instances.ts').getAdminInstancesById = /*#__PURE__*/ operation(
  'GET /api/admin/instances/{id}',
  { openTo: ['staff', 'token'], permission: 'instances:view' },
)

export const postAdminInstancesByIdDeactivate: typeof import('./instances.ts').postAdminInstancesByIdDeactivate =
  /*#__PURE__*/ operation('POST /api/admin/instances/{id}/deactivate', {
    openTo: ['staff', 'token'],
    permission: 'instances:manage',
    from: { status: ['ACTIVE', 'STALE'] },
  })

export const postAdminInstancesByIdReactivate: typeof import('./instances.ts').postAdminInstancesByIdReactivate =
  /*#__PURE__*/ operation('POST /api/admin/instances/{id}/reactivate', {
    openTo: ['staff', 'token'],
    permission: 'instances:manage',
    from: { status: ['DEACTIVATED'] },
  })

export const getV1LicenseKeys: typeof import('./license.ts').getV1LicenseKeys = /*#__PURE__*/ operation(
  'GET /api/v1/license/keys',
  { openTo: [] },
)

export const getV1LicenseCrl: typeof import('./license.ts').getV1LicenseCrl = /*#__PURE__*/ operation(
  'GET /api/v1/license/crl',
  { openTo: [], answers: 'stream' },
)

export const getAdminAudit: typeof import('./audit.ts').getAdminAudit = /*#__PURE__*/ operation(
  'GET /api/admin/audit',
  { openTo: ['staff'], permission: 'audit:view', walk: 'cursor' },
)

export const getAdminAuditActions: typeof import('./audit.ts').getAdminAuditActions = /*#__PURE__*/ operation(
  'GET /api/admin/audit/actions',
  { openTo: ['staff'], permission: 'audit:view' },
)

export const getAdminAuditVerify: typeof import('./audit.ts').getAdminAuditVerify = /*#__PURE__*/ operation(
  'GET /api/admin/audit/verify',
  { openTo: ['staff'], permission: 'audit:view' },
)

export const getAdminAuditExport: typeof import('./audit.ts').getAdminAuditExport = /*#__PURE__*/ operation(
  'GET /api/admin/audit/export',
  { openTo: ['staff'], permission: 'audit:view', answers: 'stream' },
)

export const getOpenapiJson: typeof import('./openapi-json.ts').getOpenapiJson = /*#__PURE__*/ operation(
  'GET /api/openapi.json',
  { openTo: [] },
)

export const getDocs: typeof import('./docs.ts').getDocs = /*#__PURE__*/ operation('GET /api/docs', {
  openTo: [],
  answers: 'stream',
})

export const getRoot: typeof import('./root.ts').getRoot = /*#__PURE__*/ operation('GET /', {
  openTo: [],
  answers: 'stream',
})
