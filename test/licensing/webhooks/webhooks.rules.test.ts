/** The rules of webhooks, and what their messages may contain. */
import { describe, expect, test } from 'vitest'
import { sections } from '#licensing/index'
import { PlanCreated } from '#licensing/plans/events'
import { catalogue, isPublic, isWanted, payloadOf } from '#licensing/webhooks/catalogue'
import { secretsAt, webhooks, WEBHOOKS_MAX } from '#licensing/webhooks/decider'
import type { Webhook } from '#licensing/webhooks/decider'
import {
  WebhookChanged,
  WebhookCreated,
  WebhookDeleted,
  WebhookDisabled,
  WebhookEnabled,
  WebhookSecretRotated,
  WebhookVerified,
} from '#licensing/webhooks/events'
import { AT, given } from '#test/support/decider-spec'

const ID = '01890000-0000-7000-8000-00000000e001'
const URL_1 = 'https://one.example/'
const URL_2 = 'https://two.example/'
const streams = sections.flatMap(({ streams }) => streams)

const terms = { url: URL_1, events: ['license.revoked'], ordering: 'subject' as const, ed25519: false }
const created = WebhookCreated({ webhookId: ID, ...terms, secret: 'whsec_first' })
const verified = WebhookVerified({ webhookId: ID })
const disabled = WebhookDisabled({ webhookId: ID, reason: 'GONE' })
const UNKNOWN = { webhookId: '01890000-0000-7000-8000-00000000dead' }

test('there are 50, and no 51st until one is deleted', () => {
  const all = Array.from({ length: WEBHOOKS_MAX }, (_, nth) =>
    WebhookCreated({ ...created.data, webhookId: `${ID.slice(0, -3)}${String(nth).padStart(3, '0')}` }),
  )
  given(webhooks, all)
    .when('CreateWebhook', created.data)
    .refused(409, 'The installation already has 50 webhooks: delete one first')
  const deleted = WebhookDeleted({ webhookId: all[7]!.data.webhookId })
  given(webhooks, [...all, deleted])
    .when('CreateWebhook', created.data)
    .then([created])
})

describe('a change', () => {
  const change = (more: object) => WebhookChanged({ webhookId: ID, url: null, status: 'ACTIVE', ...more })

  test('of nothing is none', () => {
    given(webhooks, [created, verified])
      .when('ChangeWebhook', { webhookId: ID, ...terms, active: true })
      .then([])
  })
  test('says only what is new', () => {
    given(webhooks, [created, verified])
      .when('ChangeWebhook', { webhookId: ID, ...terms, ordering: 'none' })
      .then([change({ ordering: 'none' })])
  })
  test('of the URL has it answer a ping again', () => {
    given(webhooks, [created, verified])
      .when('ChangeWebhook', { webhookId: ID, url: URL_2 })
      .then([change({ url: URL_2, status: 'PENDING' })])
  })
  test('of a disabled one does not enable it', () => {
    given(webhooks, [created, verified, disabled])
      .when('ChangeWebhook', { webhookId: ID, url: URL_2 })
      .then([change({ url: URL_2, status: 'DISABLED' })])
  })
  test('from https to http is refused', () => {
    given(webhooks, [created])
      .when('ChangeWebhook', { webhookId: ID, url: 'http://one.example/' })
      .refused(400, /https/)
  })
  test('disables once, and enables for another ping', () => {
    const off = given(webhooks, [created, verified]).when('ChangeWebhook', { webhookId: ID, active: false })
    off.then([WebhookDisabled({ webhookId: ID, reason: 'STAFF' })])
    given(webhooks, [created, disabled]).when('ChangeWebhook', { webhookId: ID, active: false }).then([])
    const on = given(webhooks, [created, verified, disabled]).when('ChangeWebhook', { webhookId: ID, active: true })
    on.then([WebhookEnabled({ webhookId: ID })])
    const [enabled] = given(webhooks, [created, verified, disabled, WebhookEnabled({ webhookId: ID })])
      .state as Webhook[]
    expect(enabled).toMatchObject({ status: 'PENDING', disabledReason: null, verifiedAt: null })
  })
  test('of an unknown one is 404', () => {
    for (const command of ['ChangeWebhook', 'DeleteWebhook'] as const)
      given(webhooks, [created]).when(command, UNKNOWN).refused(404, 'Not found')
    const rotation = { ...UNKNOWN, secret: 'whsec_x', overlapMinutes: 0 }
    given(webhooks, [created]).when('RotateSecret', rotation).refused(404, 'Not found')
  })
})

describe('an answered ping', () => {
  const verify = (url: string) => ({ webhookId: ID, url })
  test('verifies the URL that answered, once', () => {
    given(webhooks, [created]).when('VerifyWebhook', verify(URL_1)).then([verified])
    given(webhooks, [created, verified]).when('VerifyWebhook', verify(URL_1)).then([])
  })
  test('verifies no other URL, nothing disabled, nothing deleted', () => {
    given(webhooks, [created]).when('VerifyWebhook', verify(URL_2)).then([])
    given(webhooks, [created, disabled]).when('VerifyWebhook', verify(URL_1)).then([])
    given(webhooks, [created, WebhookDeleted({ webhookId: ID })])
      .when('VerifyWebhook', verify(URL_1))
      .then([])
  })
})

test('one is given up once, and not for what another URL did', () => {
  const giveUp = (url: string) => ({ webhookId: ID, url, reason: 'GONE' as const })
  given(webhooks, [created, verified]).when('GiveUpWebhook', giveUp(URL_1)).then([disabled])
  given(webhooks, [created, disabled]).when('GiveUpWebhook', giveUp(URL_1)).then([])
  given(webhooks, [created]).when('GiveUpWebhook', giveUp(URL_2)).then([])
  given(webhooks, []).when('GiveUpWebhook', giveUp(URL_1)).then([])
})

describe('a rotated secret', () => {
  const DAY = 1_440
  const until = new Date(AT.getTime() + DAY * 60_000)
  const rotated = WebhookSecretRotated({ webhookId: ID, secret: 'whsec_second', oldSecretUntil: until.toISOString() })

  test('signs beside the old one for as long as was asked', () => {
    const ask = { webhookId: ID, secret: 'whsec_second', overlapMinutes: DAY }
    given(webhooks, [created]).when('RotateSecret', ask).then([rotated])
    const [webhook] = given(webhooks, [created, rotated]).state as Webhook[]
    expect(secretsAt(webhook!, new Date(until.getTime() - 1))).toEqual(['whsec_second', 'whsec_first'])
    expect(secretsAt(webhook!, until)).toEqual(['whsec_second'])
  })
  test('of three the oldest is forgotten', () => {
    const third = WebhookSecretRotated({ ...rotated.data, secret: 'whsec_third' })
    const [webhook] = given(webhooks, [created, rotated, third]).state as Webhook[]
    expect(secretsAt(webhook!, AT)).toEqual(['whsec_third', 'whsec_second'])
  })
})

describe('what can be told', () => {
  test('is every declared event about what is sold, by the audit trail’s name, and nothing about those who work here', () => {
    const names = [...catalogue(streams).keys()]
    const declared = streams.flatMap(({ types }) => types)
    expect(names).toEqual([...new Set(declared.filter(isPublic).map(({ action }) => action))].toSorted())
    expect(names).toEqual(expect.arrayContaining(['license.issued', 'license.revoked', 'subscription.cancelled']))
    const secret = /^(staff|machine_token|signing_key|root_key|manifest|webhook|setting|session|shop)/
    expect(names.filter((name) => secret.test(name))).toEqual([])
  })
  test('holds no field that is sealed or internal', () => {
    for (const { sealedFields, shownFields, type } of catalogue(streams).values())
      expect(
        shownFields.filter((field) => sealedFields.includes(field) || /hash|secret|token|[a-z]Key$/.test(field)),
        type,
      ).toEqual([])
  })
  test('is what was asked for', () => {
    expect(isWanted(['*'], 'license.revoked')).toBe(true)
    expect(isWanted(['license.revoked'], 'license.revoked')).toBe(true)
    expect(isWanted(['license.revoked'], 'license.issued')).toBe(false)
  })
  test('is ids alone where all of it would be too long', () => {
    const planId = ID
    const features = Array.from({ length: 200 }, (_, nth) => ({ key: `f${nth}`, value: 'é'.repeat(200) }))
    const data = { planId, features }
    const event = { eventType: PlanCreated, data: data as never, at: AT.toISOString() }
    expect(JSON.parse(payloadOf(event))).toEqual({
      type: 'plan.created',
      timestamp: AT.toISOString(),
      data: { planId },
    })
    const short = { ...event, data: { planId, features: [] } as never }
    expect(JSON.parse(payloadOf(short)).data).toEqual({ planId, features: [] })
  })
})
