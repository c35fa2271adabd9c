/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

export const webhookEvents = {
  minItems: 1,
  maxItems: 200,
  type: 'array',
  items: {
    anyOf: [
      { type: 'string', const: '*' },
      { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
    ],
  },
} as const

export const postAdminAuthStepUpBody2 = {
  type: 'object',
  properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
  required: ['password'],
  additionalProperties: false,
} as const

export const patchAdminCustomersByIdBody = {
  name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
  company: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
} as const

export const versionVersion = {
  type: 'string',
  maxLength: 64,
  pattern:
    '^(?:0|[1-9]\\d*)(?:\\.(?:0|[1-9]\\d*)){2}(?:-(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?$',
} as const

export const authNew = {
  type: 'string',
  minLength: 8,
  maxLength: 256,
  format: 'password',
  description:
    'A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor.',
} as const

export const postAdminAuth2faEnableBody = {
  type: 'object',
  properties: {
    password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
    code: { type: 'string', maxLength: 64 },
  },
  required: ['password', 'code'],
  additionalProperties: false,
} as const

export const postAdminSubscriptionsByIdUncancelBody = {
  default: {},
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
    },
  },
  additionalProperties: false,
} as const

export const postAdminLicensesByIdRevokeBody = {
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
    },
  },
  required: ['reason'],
  additionalProperties: false,
} as const

export const subscriptionProration = {
  default: 'prorate',
  description:
    'prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited.',
  type: 'string',
  enum: ['prorate', 'invoice', 'none'],
} as const

export const postAdminAuthLoginBody = {
  type: 'object',
  properties: {
    email: { type: 'string', minLength: 1, maxLength: 320 },
    password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
    totp: { type: 'string', maxLength: 64 },
  },
  required: ['email', 'password'],
  additionalProperties: false,
} as const

export const postAdminLicensesByIdReissueBody = {
  type: 'object',
  properties: {
    mode: {
      type: 'string',
      enum: ['leaked', 'routine'],
      description:
        'leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one.',
    },
  },
  required: ['mode'],
  additionalProperties: false,
} as const

export const postAdminAnnouncementsBody = {
  title: { type: 'string', minLength: 1, maxLength: 200 },
  body: { type: 'string', minLength: 1, maxLength: 5000 },
  level: { type: 'string', enum: ['INFO', 'WARNING', 'CRITICAL'] },
  visibleFrom: { type: 'string', format: 'date-time' },
  visibleUntil: { type: 'string', format: 'date-time' },
} as const

export const postAdminAuthStepUpBody = {
  anyOf: [
    {
      type: 'object',
      properties: { code: { type: 'string', maxLength: 64 } },
      required: ['code'],
      additionalProperties: false,
    },
    postAdminAuthStepUpBody2,
  ],
} as const

export const planFeaturesItem = {
  type: 'object',
  properties: {
    key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
    value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 200 }] },
    validFrom: { type: 'string', format: 'date-time' },
    validTo: { type: 'string', format: 'date-time' },
  },
  required: ['key', 'value'],
  additionalProperties: false,
} as const

export const postShopAuthVerifyEmailBody = {
  type: 'object',
  properties: { token: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' }, password: authNew },
  required: ['token', 'password'],
  additionalProperties: false,
} as const

export const postAdminAuthPasswordBody = {
  type: 'object',
  properties: { current: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' }, new: authNew },
  required: ['current', 'new'],
  additionalProperties: false,
} as const

export const getAdminCustomersByIdHistoryQuery = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, maximum: 1000000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    cursor: { type: 'string', maxLength: 512 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    sort: { default: '-position', type: 'string', enum: ['position', '-position'] },
    createdAfter: { type: 'string', format: 'date-time' },
    createdBefore: { type: 'string', format: 'date-time' },
  },
  required: [],
} as const

export const getAdminAuthSessionsQuery = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, maximum: 1000000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    cursor: { type: 'string', maxLength: 512 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
    createdAfter: { type: 'string', format: 'date-time' },
    createdBefore: { type: 'string', format: 'date-time' },
  },
  required: [],
} as const

export const getAdminSubscriptionsByIdPaymentsQuery = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] },
    type: { type: 'string', enum: ['CHARGE', 'CREDIT'] },
    page: { type: 'integer', minimum: 1, maximum: 1000000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    cursor: { type: 'string', maxLength: 512 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
    createdAfter: { type: 'string', format: 'date-time' },
    createdBefore: { type: 'string', format: 'date-time' },
  },
  required: [],
} as const
