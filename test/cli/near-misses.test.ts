import { describe, expect, test } from 'vitest'
import { ALL_VARIABLES } from '../../src/cli/command-variables.ts'
import { nearMisses } from '../../src/cli/near-misses.ts'

const missed = (env: NodeJS.ProcessEnv) => nearMisses(env, ALL_VARIABLES).map(({ found, meant }) => [found, meant])

test.each([
  ['LICENCING_PORT', 'LICENSING_PORT'],
  ['LICENSING_PROT', 'LICENSING_PORT'],
  ['LICENSINGPORT', 'LICENSING_PORT'],
  ['LICENCE_SERVER_URL', 'LICENSE_SERVER_URL'],
  ['PANEL_ULR', 'PANEL_URL'],
  ['PANEL_URI', 'PANEL_URL'],
  ['PANELS_URL', 'PANEL_URL'],
  ['PANLE_PORT', 'PANEL_PORT'],
  ['DAYBOOK_DATADIR', 'DAYBOOK_DATA_DIR'],
  ['DAYBOOK_ADMIN_MAIL', 'DAYBOOK_ADMIN_EMAIL'],
  ['DAYBOKO_SECRET_KEY', 'DAYBOOK_SECRET_KEY'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['TRUSTED_PROXEIS', 'TRUSTED_PROXIES'],
  ['STRIPE_SECERT_KEY', 'STRIPE_SECRET_KEY'],
])('%s: is %s meant?', (found, meant) => {
  expect(missed({ [found]: 'x' })).toEqual([[found, meant]])
})

/** Variables of other programs and of our own scripts. */
const FOREIGN = `
  PATH HOME USER LANG SHELL TERM PWD HOSTNAME PORT HOST DEBUG NODE_ENV CI
  PGHOST PGPORT PGDATABASE DB_URL DATABASE_URI DATABASE_URLS DATABASES_URL DATABASE_HOST
  REDIS_URI REDIS_HOST REDIS_PORT SMTP_URI SMTP_HOST SMTP_USER MAIL_HOST EMAIL_FROM MAIL_TO
  LOGLEVEL LOG_LEVELS LOG_FILE FILE_DIR SHOP_URI SHOP_ID SHIP_URL WEBHOOK_URL WEBHOOKS_ALLOW
  METRIC_ALLOW TRUSTED_PROXY STRIPE_API_KEY STRIPE_API_VERSION STRIPE_PUBLISHABLE_KEY
  CPANEL_URL CPANEL_PORT PANEL_ROOT PANEL_PATH PANEL_USER LICENSE_KEY LICENSE_FILE
  EVENTSTORE_URL EVENTS_STORE_URL SECRET_KEY ADMIN_EMAIL HTTP_URL HTTPS_PROXY NO_PROXY
  DAYBOOK_IMAGE DAYBOOK_TOKEN DAYBOOK_TEST_DATABASE_URL database_url Path`
  .trim()
  .split(/\s+/)

test('no variable of another program is taken for ours', () => {
  expect(missed(Object.fromEntries(FOREIGN.map((name) => [name, 'x'])))).toEqual([])
})

describe('says nothing', () => {
  test('where the right one is set as well', () => {
    expect(missed({ PANEL_ULR: 'x', PANEL_URL: 'https://panel.test' })).toEqual([])
  })

  test('of one that is empty', () => {
    expect(missed({ PANEL_ULR: ' ' })).toEqual([])
  })

  test('of ours, each of which may be one letter from another', () => {
    expect(missed(Object.fromEntries(ALL_VARIABLES.map((name) => [name, 'x'])))).toEqual([])
  })
})

test('each of ours is known with two neighbours of a word swapped', () => {
  const swapped = ALL_VARIABLES.flatMap((name) =>
    name.split('').flatMap((letter, at) => {
      const next = name[at + 1]
      if (next === undefined || next === letter || letter === '_' || next === '_') return []
      return [[`${name.slice(0, at)}${next}${letter}${name.slice(at + 2)}`, name]]
    }),
  )
  expect(swapped.length).toBeGreaterThan(200)
  expect(swapped.filter(([found = '', name]) => missed({ [found]: 'x' })[0]?.[1] !== name)).toEqual([])
})
