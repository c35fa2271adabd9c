import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { LICENSING_LOGINS, PANEL_LOGINS, loginsIn } from '../../src/cli/logins.ts'
import { dataDirectory, evaluationConfig, productionConfig } from '../../src/config/licensing.ts'
import { panelConfig, panelEvaluationConfig } from '../../src/config/panel.ts'

const key = randomBytes(32)
const complete = {
  DATABASE_URL: 'postgres://licensing:k7Qm-2vX9@db.internal:5432/licensing',
  DAYBOOK_SECRET_KEY: key.toString('base64'),
  LICENSING_URL: 'https://licensing.example.com',
}
const generated = {
  secretKey: randomBytes(32).toString('base64'),
  adminEmail: 'admin@daybook.localhost',
  adminPassword: 'generated-generated-generated',
}

function problem(env: Record<string, string | undefined>): string {
  try {
    productionConfig({ ...complete, ...env })
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('production', () => {
  test('is complete with three variables and defaults for the rest', () => {
    expect(productionConfig(complete)).toEqual({
      host: '0.0.0.0',
      port: 4000,
      shopUrl: 'https://licensing.example.com/shop',
      url: 'https://licensing.example.com',
      databaseUrl: complete.DATABASE_URL,
      secretKey: key,
      trustedProxies: { ranges: [], hops: 1 },
      logLevel: 'info',
      authFailuresPerMinute: 300,
      metricsAllow: ['127.0.0.0/8', '::1/128'],
      webhookAllow: [],
      admin: undefined,
    })
  })

  test.each([
    'kurrentdb://127.0.0.1:2113?tls=false',
    'kurrentdb+discover://svc:k7Qm-2vX9@one:2113,two:2113',
    'esdb://db.internal',
  ])('takes %s as an event store', (url) => {
    expect(productionConfig({ ...complete, EVENT_STORE_URL: url }).eventStoreUrl).toBe(url)
  })

  test('sends mails when it is told where and from whom', () => {
    const mail = { SMTP_URL: 'smtps://me:k7Qm-2vX9@mail.internal', MAIL_FROM: 'Daybook <licensing@example.com>' }
    expect(productionConfig({ ...complete, ...mail }).mail).toEqual({
      smtp: {
        host: 'mail.internal',
        port: 465,
        secure: true,
        requireTLS: false,
        auth: { user: 'me', pass: 'k7Qm-2vX9' },
      },
      from: { name: 'Daybook', address: 'licensing@example.com' },
    })
    expect(problem({ ...mail, MAIL_FROM: undefined })).toContain('SMTP_URL and MAIL_FROM must be set both or neither')
    expect(problem({ ...mail, SMTP_URL: undefined })).toContain('SMTP_URL and MAIL_FROM must be set both or neither')
  })

  test.each([
    ['SMTP_URL', 'http://mail.internal'],
    ['SMTP_URL', 'smtp://me:changeit@mail.internal'],
    ['SMTP_URL', 'smtp://me:k7Qm-2vX9@mail.internal?tls.rejectUnauthorized=false'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Daybook <a@example.com>\r\nBcc: <b@example.com>'],
    ['REDIS_URL', 'http://redis.internal'],
    ['REDIS_URL', 'redis://:changeit@redis.internal'],
    ['REDIS_URL', 'redis://redis.internal:6379/0?family=6'],
    ['SHOP_URL', 'shop.example.com'],
    ['SHOP_URL', 'ftp://shop.example.com'],
    ['PAGES_DIR', 'pages'],
    ['SHOP_URL', 'https://me:k7Qm-2vX9@shop.example.com'],
    ['SHOP_URL', 'https://shop.example.com/?from=mail'],
    ['SHOP_URL', 'https://shop.example.com/#'],
  ])('refuses %s=%s, and repeats nothing of it', (name, value) => {
    const text = problem({ SMTP_URL: 'smtp://mail.internal', MAIL_FROM: 'a@example.com', [name]: value })
    expect(text).toContain(`${name} must be`)
    expect(text).not.toMatch(/2vX9|changeit|nobody/)
  })

  test.each([
    ['https://Shop.example.com', 'https://shop.example.com'],
    ['https://example.com/store/', 'https://example.com/store'],
    ['none', undefined],
    [undefined, `${complete.LICENSING_URL}/shop`],
  ])('takes %s as the shop', (text, shopUrl) =>
    expect(productionConfig({ ...complete, SHOP_URL: text }).shopUrl).toBe(shopUrl),
  )
  test('takes payments by Stripe when it is told both secrets, and signs invoices', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef', STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef' }
    const seller = { INVOICE_SELLER: 'Example GmbH | Street 1, Berlin' }
    expect(productionConfig({ ...complete, ...stripe, ...seller }).payments).toEqual({
      stripe: { secretKey: stripe.STRIPE_SECRET_KEY, webhookSecret: stripe.STRIPE_WEBHOOK_SECRET },
      seller: ['Example GmbH', 'Street 1, Berlin'],
    })
    const both = 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set both or neither'
    expect(problem({ ...stripe, STRIPE_SECRET_KEY: undefined })).toContain(both)
    expect(problem({ ...stripe, STRIPE_WEBHOOK_SECRET: undefined })).toContain(both)
    for (const wrong of ['pk_test_0123456789abcdef', 'sk_test_', 'sk_live_0123 456789abcdef']) {
      const text = problem({ ...stripe, STRIPE_SECRET_KEY: wrong })
      expect(text).toContain('STRIPE_SECRET_KEY must be')
      expect(text).not.toContain(wrong)
    }
    for (const wrong of ['constructor', '__proto__', '_', 'sk'])
      expect(problem({ ...stripe, STRIPE_SECRET_KEY: wrong })).toMatch(
        /; this (?:has another prefix|is neither for live)/,
      )
    expect(problem({ INVOICE_SELLER: 'x|'.repeat(9) })).toContain('INVOICE_SELLER must be')
  })

  test.each([
    ['STRIPE_SECRET_KEY', 'pk_live_c4n4ryc4n4ryc4n4ry', 'this is a publishable key'],
    ['STRIPE_SECRET_KEY', 'whsec_c4n4ryc4n4ryc4n4ry', 'this is the signing secret of an endpoint, which belongs in'],
    ['STRIPE_SECRET_KEY', 'sk_c4n4ryc4n4ryc4n4ry', 'this is neither for live mode nor for test mode'],
    ['STRIPE_SECRET_KEY', 'sk_test_c4n4ry', 'this is too short: copy it whole'],
    ['STRIPE_SECRET_KEY', `rk_live_${'c4n4ry'.repeat(40)}`, 'this is too long'],
    ['STRIPE_SECRET_KEY', 'sk_test_c4n4ryc4n4ry…c4n4ry', 'this contains characters other than'],
    ['STRIPE_WEBHOOK_SECRET', 'sk_test_c4n4ryc4n4ryc4n4ry', 'this is a secret key, which belongs in STRIPE_SECRET_KEY'],
    ['STRIPE_WEBHOOK_SECRET', 'we_c4n4ryc4n4ryc4n4ry', 'this is the id of an endpoint'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_c4n4ry', 'this is too short: copy it whole'],
  ])('says what is wrong with a %s such as %s, and repeats nothing of it', (name, value, why) => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef', STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef' }
    const text = problem({ ...stripe, [name]: value })
    expect(text).toMatch(new RegExp(`^Daybook cannot start with these environment variables:\n  ${name} must be .+$`))
    expect(text).toContain(`; ${why}`)
    expect(text).not.toContain('c4n4ry')
  })

  test('a live key of Stripe goes to Stripe alone, and into no evaluation', () => {
    const live = { STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef', STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef' }
    const restricted = { ...live, STRIPE_SECRET_KEY: 'rk_live_0123456789abcdef' }
    const test = { ...live, STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef' }
    const own = { STRIPE_API_BASE: 'http://127.0.0.1:12111' }
    const kept = [live, restricted, { ...live, STRIPE_API_BASE: 'https://api.stripe.com' }, { ...test, ...own }]
    expect(kept.map(problem)).toEqual(['', '', '', ''])
    for (const each of [live, restricted]) {
      expect(problem({ ...each, ...own, LICENSING_PORT: 'x' })).toMatch(
        /LICENSING_PORT must be .*\n {2}STRIPE_SECRET_KEY is a live key, .*unset STRIPE_API_BASE/,
      )
      expect(() => evaluationConfig(each, generated)).toThrow(
        /\n {2}STRIPE_SECRET_KEY is a live key, and "daybook start" is for evaluation: use a key of test mode/,
      )
    }
    expect(evaluationConfig(test, generated).payments).toMatchObject({ stripe: { secretKey: test.STRIPE_SECRET_KEY } })
    expect(() => evaluationConfig({ ...test, STRIPE_WEBHOOK_SECRET: '' }, generated)).toThrow('both or neither')
  })

  test('takes a Redis', () => {
    const url = 'rediss://svc:k7Qm-2vX9@redis.internal:6380/1'
    expect(productionConfig({ ...complete, REDIS_URL: url }).redisUrl).toBe(url)
  })

  test.each([
    'http://db.internal:2113',
    'kurrentdb://',
    'kurrentdb:',
    'kurrentdb://admin:changeit@db.internal:2113',
    'kurrentdb://svc:k7Qm-2vX9@db.internal?tsl=false',
    'kurrentdb://svc:k7Qm@2vX9@db.internal',
  ])('refuses %s as one, and repeats nothing of it', (url) => {
    const text = problem({ EVENT_STORE_URL: url })
    expect(text).toContain('EVENT_STORE_URL must be')
    expect(text).not.toContain('2vX9')
  })

  test('lists everything that is missing at once', () => {
    const text = problem({ DATABASE_URL: undefined, DAYBOOK_SECRET_KEY: '', LICENSING_URL: '  ', LICENSING_PORT: 'x' })
    for (const name of ['DATABASE_URL', 'DAYBOOK_SECRET_KEY', 'LICENSING_URL'])
      expect(text).toContain(`${name} is not set`)
    expect(text).toContain('LICENSING_PORT must be a port, 1 to 65535')
  })

  test.each([
    ['LICENSING_PORT', '0'],
    ['LICENSING_PORT', '65536'],
    ['LICENSING_PORT', '4000.5'],
    ['LICENSING_PORT', '4e3'],
    ['LICENSING_HOST', 'http://localhost'],
    ['LICENSING_URL', 'licensing.example.com'],
    ['LICENSING_URL', 'ftp://licensing.example.com'],
    ['LICENSING_URL', 'https://licensing.example.com/base'],
    ['LICENSING_URL', 'https://licensing.example.com?'],
    ['LICENSING_URL', 'https://licensing.example.com/#top'],
    ['LICENSING_URL', 'https://user:word@licensing.example.com'],
    ['DATABASE_URL', 'mysql://user:k7Qm-2vX9@db/licensing'],
    ['DATABASE_URL', 'postgres://user:k7Qm-2vX9@db'],
    ['DATABASE_URL', 'db.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/8;hops=0'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['LOG_LEVEL', 'loud'],
    ['AUTH_FAILURES_PER_MINUTE', '0'],
    ['METRICS_ALLOW', '0.0.0.0/0'],
    ['WEBHOOK_ALLOW', '0.0.0.0/0'],
    ['METRICS_ALLOW', '10.0.0.0/8,,10.0.0.1'],
    ['DAYBOOK_ADMIN_EMAIL', 'somebody'],
  ])('refuses %s=%s and says what it must be', (name, value) => {
    expect(
      problem({ DAYBOOK_ADMIN_PASSWORD: 'quite-a-long-phrase', DAYBOOK_ADMIN_EMAIL: 'a@b.example', [name]: value }),
    ).toMatch(new RegExp(`^Daybook cannot start with these environment variables:\n  ${name} must be .+$`))
  })

  test.each([
    '0'.repeat(64),
    Buffer.alloc(32).toString('base64'),
    Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64'),
    '0123456789abcdef'.repeat(4),
    Buffer.from('this-is-not-a-key-it-is-a-phrase').toString('base64'),
    'changeme',
    randomBytes(16).toString('base64'),
  ])('refuses the secret key %s', (text) => {
    const message = problem({ DAYBOOK_SECRET_KEY: text })
    expect(message).toContain('DAYBOOK_SECRET_KEY must be 32 random bytes')
    expect(message).not.toContain(text)
  })

  test.each([
    'changeme',
    'change-me',
    'CHANGE_ME_PLEASE',
    'password',
    'postgres',
    'secret123',
    'daybook',
    'example',
    '<password>',
    'your-password-here',
    '********',
    'secret-12345678901',
  ])('refuses the example %s as a password', (text) => {
    expect(problem({ DATABASE_URL: `postgres://u:${encodeURIComponent(text)}@db/licensing` })).toContain(
      'DATABASE_URL must be',
    )
    expect(problem({ DAYBOOK_ADMIN_EMAIL: 'a@b.example', DAYBOOK_ADMIN_PASSWORD: text })).toContain(
      'DAYBOOK_ADMIN_PASSWORD must be',
    )
  })

  test('repeats no value, however wrong it is', () => {
    const canary = 'c4n4ry-value'
    const text = problem({
      DATABASE_URL: `mysql://u:${canary}@db/x`,
      DAYBOOK_SECRET_KEY: canary,
      LICENSING_URL: `https://u:${canary}@example.com`,
      TRUSTED_PROXIES: canary,
      LICENSING_PORT: canary,
      LOG_LEVEL: canary,
      DAYBOOK_ADMIN_EMAIL: canary,
    })
    expect(text.split('\n')).toHaveLength(8)
    expect(text).not.toContain(canary)
  })

  test.each([
    ['DAYBOOK_ADMIN_EMAIL', 'a@b.example'],
    ['DAYBOOK_ADMIN_PASSWORD', 'quite-a-long-phrase'],
  ])('refuses %s without its other half, beside other problems', (name, value) => {
    const text = problem({ [name]: value, LICENSING_PORT: 'x' })
    expect(text).toContain('DAYBOOK_ADMIN_EMAIL and DAYBOOK_ADMIN_PASSWORD must be set both or neither')
    expect(text).toContain('LICENSING_PORT')
  })

  test('reads what is set', () => {
    const config = productionConfig({
      ...complete,
      LICENSING_URL: 'https://Licensing.Example.com:443/',
      LICENSING_HOST: '::',
      LICENSING_PORT: '8080',
      TRUSTED_PROXIES: '10.0.0.0/8;hops=2',
      LOG_LEVEL: 'WARN',
      AUTH_FAILURES_PER_MINUTE: '10',
      METRICS_ALLOW: '10.1.0.0/16, 192.0.2.7',
      WEBHOOK_ALLOW: '10.2.0.0/16',
      DAYBOOK_ADMIN_EMAIL: 'a@b.example',
      DAYBOOK_ADMIN_PASSWORD: 'quite-a-long-phrase',
      DAYBOOK_SECRET_KEY: key.toString('hex'),
    })
    expect(config).toMatchObject({
      url: 'https://licensing.example.com',
      host: '::',
      port: 8080,
      logLevel: 'warn',
      authFailuresPerMinute: 10,
      admin: { email: 'a@b.example', password: 'quite-a-long-phrase' },
      secretKey: key,
    })
    expect(config.trustedProxies.hops).toBe(2)
    expect(config.metricsAllow).toHaveLength(2)
    expect(config.webhookAllow).toEqual(['10.2.0.0/16'])
  })
})

describe('evaluation', () => {
  test('needs nothing', () => {
    expect(evaluationConfig({}, generated)).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      url: 'http://localhost:4000',
      databaseUrl: undefined,
      secretKey: Buffer.from(generated.secretKey, 'base64'),
      admin: { email: generated.adminEmail, password: generated.adminPassword, isGenerated: true },
    })
  })

  test('follows the port, and the environment over what was generated', () => {
    const env = {
      LICENSING_PORT: '4100',
      DAYBOOK_SECRET_KEY: key.toString('base64url'),
      DAYBOOK_ADMIN_PASSWORD: 'quite-a-long-phrase',
    }
    expect(evaluationConfig(env, generated)).toMatchObject({
      url: 'http://localhost:4100',
      secretKey: key,
      admin: { email: generated.adminEmail, password: 'quite-a-long-phrase', isGenerated: false },
    })
  })

  test('takes empty variables for unset ones', () => {
    expect(evaluationConfig({ DAYBOOK_SECRET_KEY: '', LICENSING_PORT: ' ' }, generated)).toMatchObject({
      port: 4000,
      secretKey: Buffer.from(generated.secretKey, 'base64'),
    })
  })

  test('keeps its data in .daybook here, or where it is told, as an absolute path', () => {
    expect(dataDirectory({})).toBe(`${process.cwd()}/.daybook`)
    expect(dataDirectory({ DAYBOOK_DATA_DIR: '/var/tmp/x' })).toBe('/var/tmp/x')
  })
})

test('what only needs a database asks for nothing else, and knows its owner apart from its processes', () => {
  const [url, ownerUrl] = [complete.DATABASE_URL, complete.DATABASE_URL.replace(/\/\/[^:]+/, '//owner')]
  expect(ownerUrl).not.toBe(url)
  expect(loginsIn({}, LICENSING_LOGINS)).toBeUndefined()
  expect(loginsIn({ DATABASE_URL: url }, LICENSING_LOGINS)).toEqual({ ownerUrl: url, url })
  expect(loginsIn({ DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: url }, LICENSING_LOGINS)).toEqual({ ownerUrl, url })
  expect(loginsIn({ PANEL_DATABASE_URL: url }, LICENSING_LOGINS)).toBeUndefined()
  expect(loginsIn({ PANEL_DATABASE_URL: url }, PANEL_LOGINS)).toEqual({ ownerUrl: url, url })
  expect(() => loginsIn({ DATABASE_OWNER_URL: 'mysql://x/y' }, LICENSING_LOGINS)).toThrow('DATABASE_OWNER_URL')
})

describe('the panel', () => {
  const own = {
    PANEL_DATABASE_URL: 'postgres://panel:k7Qm-2vX9@db.internal:5432/panel',
    PANEL_SECRET_KEY: key.toString('base64'),
    PANEL_URL: 'https://panel.example.com',
  }
  const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
  const licensed = { LICENSE_SERVER_URL: 'https://licensing.example.com', LICENSE_ROOT_KEY: x }

  function refused(env: Record<string, string | undefined>): string {
    try {
      panelConfig({ ...own, ...env })
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }

  test('is complete with three variables of its own, whatever the other service is given', () => {
    expect(panelConfig({ ...complete, ...own, LICENSING_PORT: 'none', STRIPE_SECRET_KEY: 'none' })).toEqual({
      host: '0.0.0.0',
      port: 3000,
      url: 'https://panel.example.com',
      databaseUrl: own.PANEL_DATABASE_URL,
      secretKey: key,
      trustedProxies: { ranges: [], hops: 1 },
      logLevel: 'info',
      authFailuresPerMinute: 300,
      metricsAllow: ['127.0.0.0/8', '::1/128'],
      mailAllow: [],
      gitAllow: [],
      localAgent: true,
      unsetVariables: [],
    })
  })

  test('leaves open to administrators what an environment does not say that need not', () => {
    const said = (env: NodeJS.ProcessEnv) => panelEvaluationConfig(env, generated).unsetVariables
    expect(said({})).toEqual(['PANEL_URL', 'MAIL_FROM'])
    expect(said({ PANEL_URL: 'https://panel.example.com', MAIL_FROM: 'a@b.example' })).toEqual([])
    expect(said({ MAIL_FROM: 'a@b.example', PANEL_URL: ' ' })).toEqual(['PANEL_URL'])
    expect(panelConfig({ ...own, MAIL_ALLOW: '10.1.0.0/16' }).mailAllow).toEqual(['10.1.0.0/16'])
    expect(panelConfig({ ...own, GIT_ALLOW: '10.2.0.0/16' }).gitAllow).toEqual(['10.2.0.0/16'])
    const sha256 = '0123456789abcdef'.repeat(4)
    expect(panelConfig({ ...own, RELEASE_SHA256: sha256 }).releaseSha256).toBe(sha256)
    expect(refused({ RELEASE_SHA256: sha256.toUpperCase() })).toContain('RELEASE_SHA256 must be')
    expect(refused({ MAIL_ALLOW: '0.0.0.0/0' })).toContain('MAIL_ALLOW must be')
  })

  test.each([x, JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x })])('trusts the root key %s', (LICENSE_ROOT_KEY) => {
    expect(panelConfig({ ...own, ...licensed, LICENSE_ROOT_KEY }).license).toEqual({
      serviceUrl: 'https://licensing.example.com',
      root: { kty: 'OKP', crv: 'Ed25519', x },
    })
  })

  test.each([
    [{ LICENSE_ROOT_KEY: x }, 'LICENSE_SERVER_URL and LICENSE_ROOT_KEY must be set both or neither'],
    [{ ...licensed, LICENSE_ROOT_KEY: 'short' }, 'LICENSE_ROOT_KEY must be'],
    [{ ...licensed, LICENSE_SERVER_URL: 'https://l.test/api' }, 'LICENSE_SERVER_URL must be'],
    [{ ...licensed, DAYBOOK_LICENSE_KEY: 'open sesame' }, 'DAYBOOK_LICENSE_KEY must be a license key'],
    [{ PANEL_URL: undefined }, 'PANEL_URL is not set'],
    [{ PANEL_SECRET_KEY: 'changeit' }, 'PANEL_SECRET_KEY must be'],
  ])('%j is refused', (env, says) => {
    expect(refused(env)).toContain(says)
  })

  test('of an evaluation has a key of its own and neither the queue nor the event store of the other', () => {
    const shared = { REDIS_URL: 'redis://redis.internal', EVENT_STORE_URL: 'kurrentdb://127.0.0.1:2113?tls=false' }
    const config = panelEvaluationConfig(shared, generated)
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, url: 'http://localhost:3000' })
    expect([config.redisUrl, config.eventStoreUrl, config.databaseUrl]).toEqual([undefined, undefined, undefined])
    expect(config.secretKey).toHaveLength(32)
    expect(config.secretKey.equals(evaluationConfig({}, generated).secretKey)).toBe(false)
  })
})
