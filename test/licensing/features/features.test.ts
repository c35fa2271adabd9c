import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { features } from '#licensing/features/decider'
import { FeatureChanged, FeatureCreated, FeatureRemoved, PlanFeaturesOffered } from '#licensing/features/events'
import { given } from '#test/support/decider-spec'
import { startService } from '../../support/licensing/service.ts'

const featureId = randomUUID()
const planId = randomUUID()
const declared = FeatureCreated({ featureId, key: 'projects', name: 'Projects', type: 'INTEGER' })
const archived = FeatureChanged({ featureId, changes: { archived: true } })
const offered = PlanFeaturesOffered({ planId, types: { projects: 'INTEGER' } })
const projects = (value: boolean | number | string) => ({ planId, features: [{ key: 'projects', value }] })

describe('rules', () => {
  test('a key is declared once', () => {
    const again = { featureId: randomUUID(), key: 'projects', name: 'x', type: 'STRING' as const }
    given(features, [declared]).when('CreateFeature', again).refused(409, 'Feature projects already exists')
    given(features, [declared, FeatureRemoved({ featureId, key: 'projects' })])
      .when('CreateFeature', again)
      .then([FeatureCreated(again)])
  })

  test('a plan’s value has the type of the feature, whichever of the two comes first', () => {
    const plan = given(features, [declared])
    plan.when('OfferFeatures', projects(25)).then([offered])
    for (const value of ['25', true])
      plan.when('OfferFeatures', projects(value)).refused(400, 'Feature projects takes a value of type INTEGER')
    const promised = given(features, [PlanFeaturesOffered({ planId, types: { projects: 'STRING' } })])
    promised
      .when('CreateFeature', declared.data)
      .refused(409, 'A plan has a value of feature projects that is not of type INTEGER: change the plan first')
    given(features, [offered]).when('CreateFeature', declared.data).then([declared])
  })

  test('what nobody declared may be promised', () => {
    const offer = { planId, features: [{ key: 'sso', value: true }] }
    given(features)
      .when('OfferFeatures', offer)
      .then([PlanFeaturesOffered({ planId, types: { sso: 'BOOLEAN' } })])
  })

  test('another value of the same type is nothing new', () => {
    given(features, [declared, offered]).when('OfferFeatures', projects(50)).then([])
  })

  test('an archived feature stays where it is, and no other plan takes it up', () => {
    const kept = given(features, [declared, offered, archived])
    kept.when('OfferFeatures', projects(50)).then([])
    kept
      .when('OfferFeatures', { ...projects(1), planId: randomUUID() })
      .refused(400, 'Feature projects is archived: plans can no longer add it')
  })

  test('a feature goes only when no plan has it', () => {
    const used = given(features, [declared, offered])
    used
      .when('RemoveFeature', { featureId })
      .refused(409, 'A plan has feature projects: archive the feature instead of removing it')
    given(features, [declared, offered, PlanFeaturesOffered({ planId, types: {} })])
      .when('RemoveFeature', { featureId })
      .then([FeatureRemoved({ featureId, key: 'projects' })])
  })

  test('a change to what already is decides nothing; an unknown feature is not found', () => {
    given(features, [declared]).when('ChangeFeature', { featureId, name: 'Projects', archived: false }).then([])
    for (const command of ['ChangeFeature', 'RemoveFeature'] as const)
      given(features).when(command, { featureId }).refused(404, 'Not found')
  })
})

const service = await startService()
const as = await service.staff()
const call = (method: string, path: string, body?: unknown) => service.call(method, path, { as, body })
const aName = () => `f-${randomUUID().slice(0, 8)}`
const declare = (body: object) => call('POST', '/api/admin/features', { name: 'Feature', ...body })
const plan = (features: object[], more: object = {}) =>
  call('POST', '/api/admin/plans', { slug: `p-${randomUUID()}`, name: 'Plan', features, ...more })

describe('over HTTP', () => {
  test('declare, read, list, rename, archive, remove', async () => {
    const key = aName()
    const made = await declare({ key, type: 'STRING' })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      key,
      name: 'Feature',
      type: 'STRING',
      archived: false,
      createdAt: expect.any(String),
    })
    const path = `/api/admin/features/${made.body.id}`
    expect((await call('GET', path)).body).toEqual(made.body)
    const changed = await call('PATCH', path, { name: 'Renamed', archived: true })
    expect(changed.body).toEqual({ ...made.body, name: 'Renamed', archived: true })
    for (const query of [`key=${key}`, `q=${key.toUpperCase()}`, 'q=renAMED', 'archived=true&type=STRING'])
      expect((await call('GET', `/api/admin/features?${query}`)).body.items, query).toEqual([changed.body])
    expect((await call('DELETE', path)).status).toBe(204)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await call(method, path, method === 'PATCH' ? {} : undefined)).status, method).toBe(404)
  })

  test('a plan cannot be sold with a value of another type, nor be changed to one', async () => {
    const key = aName()
    await declare({ key, type: 'INTEGER' })
    const refused = await plan([{ key, value: 'many' }])
    expect(refused.body).toEqual({ statusCode: 400, message: `Feature ${key} takes a value of type INTEGER` })
    const made = await plan([{ key, value: 3 }])
    expect(made.status, made.text).toBe(201)
    const path = `/api/admin/plans/${made.body.id}`
    expect((await call('PATCH', path, { features: [{ key, value: true }] })).status).toBe(400)
    expect((await call('GET', path)).body).toEqual(made.body)
    expect((await call('PATCH', path, { name: 'Other' })).status).toBe(200)
  })

  test('409 for removing what a plan has, closed ones included, until it has it no more', async () => {
    const key = aName()
    const { body: feature } = await declare({ key })
    const { body: closed } = await plan([{ key, value: true }], { active: false })
    const refused = await call('DELETE', `/api/admin/features/${feature.id}`)
    expect(refused.headers.get('error-code')).toBe('FEATURE_IN_USE')
    await call('PATCH', `/api/admin/plans/${closed.id}`, { features: [] })
    expect((await call('DELETE', `/api/admin/features/${feature.id}`)).status).toBe(204)
  })

  test('of removing a feature and selling it at once, one happens', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = aName()
      const { body: feature } = await declare({ key, type: 'INTEGER' })
      await call('PATCH', `/api/admin/features/${feature.id}`, { archived: true })
      const [removed, sold] = await Promise.all([
        call('DELETE', `/api/admin/features/${feature.id}`),
        plan([{ key, value: 'a text' }]),
      ])
      // Sold as a text, so it was sold after the feature was removed.
      expect(removed.status).toBe(204)
      expect([201, 400]).toContain(sold.status)
    }
  })

  test('of declaring a feature and promising it otherwise at once, one happens', async () => {
    for (let round = 0; round < 8; round += 1) {
      const key = aName()
      const [made, promised] = await Promise.all([declare({ key, type: 'INTEGER' }), plan([{ key, value: true }])])
      expect([made.status, promised.status]).toEqual(made.status === 201 ? [201, 400] : [409, 201])
    }
  })

  test.each([
    ['a key with capitals', { key: 'Projects' }],
    ['no key', {}],
    ['another type', { key: 'x', type: 'DATE' }],
    ['an unknown field', { key: 'x', archived: true }],
  ])('400 for %s', async (_what, body) => expect((await declare(body)).status).toBe(400))

  test('400 for changing key or type', async () => {
    const { body: feature } = await declare({ key: aName() })
    for (const change of [{ key: 'other' }, { type: 'STRING' }])
      expect((await call('PATCH', `/api/admin/features/${feature.id}`, change)).status).toBe(400)
  })

  test('tokens of the family may do all of it', async () => {
    const token = await service.token(['features:*'])
    const made = await service.call('POST', '/api/admin/features', { as: token, body: { key: aName(), name: 'x' } })
    expect(made.status).toBe(201)
    expect((await service.call('GET', '/api/admin/features', { as: token })).status).toBe(200)
  })
})
