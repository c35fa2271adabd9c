/** Which deliveries are proven, by whom they are sent, and which branches they say have moved. */
import { expect, test } from 'vitest'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { repositoryIn } from '#panel/applications/webhook/install'
import { eventOf, hintOf } from '#panel/applications/webhook/pushes'
import { acceptedSecrets, rotatedSecrets } from '#panel/applications/webhook/rules'
import { deliveryIdOf, senderOf } from '#panel/applications/webhook/signatures'
import { gitSourceOf, watchedBranchOf } from '#panel/applications/webhook/watched-branch'
import * as sent from '../../support/panel/webhooks/deliveries.ts'
import type { Delivery } from '../../support/panel/webhooks/deliveries.ts'

const [SECRET, OTHER] = [newWebhookSecret(), newWebhookSecret()]
const NOW = new Date('2026-06-01T12:00:00.000Z')
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)

const headerOf =
  ({ headers }: Delivery) =>
  (name: string): string | undefined =>
    headers[name]
const provenBy = (delivery: Delivery, secrets: readonly string[] = [SECRET]) =>
  senderOf({ header: headerOf(delivery), body: Buffer.from(delivery.body), now: NOW }, secrets)

const PUSHES = (secret: string) =>
  [
    ['GITHUB', sent.fromGitHub(secret, 'push', sent.gitHubPush())],
    ['GITEA', sent.fromGitea(secret, 'push', sent.giteaPush())],
    ['GITLAB', sent.fromGitLab(secret, 'Push Hook', sent.gitLabPush())],
    ['GITLAB', sent.signedByGitLab(secret, sent.gitLabPush(), NOW)],
    ['BITBUCKET', sent.fromBitbucket(secret, 'repo:push', sent.bitbucketPush())],
    ['PLAIN', sent.fromPlain(secret, sent.plainPush(), NOW)],
  ] as const

test('each sender proves its delivery with the secret, and with no other', () => {
  for (const [sender, delivery] of PUSHES(SECRET)) {
    expect(provenBy(delivery)).toBe(sender)
    expect(provenBy(delivery, [OTHER, SECRET])).toBe(sender)
    expect(provenBy(delivery, [OTHER]), sender).toBeUndefined()
  }
})

test('one changed byte of the body ends the proof, except where the provider signs nothing', () => {
  for (const [sender, delivery] of PUSHES(SECRET)) {
    const isToken = 'x-gitlab-token' in delivery.headers && !('webhook-signature' in delivery.headers)
    const changed = { ...delivery, body: `${delivery.body} ` }
    expect(provenBy(changed), sender).toBe(isToken ? 'GITLAB' : undefined)
  }
})

test('no header, a shortened one, and older or other algorithms prove nothing', () => {
  const { headers, body } = sent.fromGitHub(SECRET, 'push', sent.gitHubPush())
  const signature = headers['x-hub-signature-256']!
  for (const more of [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': signature.slice(0, -1) },
    { 'x-hub-signature-256': signature.toUpperCase() },
    { 'x-hub-signature-256': signature.replace('sha256=', '') },
    { 'x-hub-signature-256': signature.replace('sha256=', 'sha1=') },
    { 'x-hub-signature': signature.replace('sha256=', 'sha1=') },
    { 'x-gitea-signature': signature },
    { 'x-gitlab-token': '' },
    { 'x-gitlab-token': SECRET.slice(0, -1) },
    { 'webhook-signature': 'v1,' },
  ])
    expect(provenBy({ headers: more as Record<string, string>, body }), JSON.stringify(more)).toBeUndefined()
})

test('a signature counts before a token: a wrong one is not made good by the token', () => {
  expect(provenBy(sent.signedByGitLab(OTHER, sent.gitLabPush(), NOW, SECRET))).toBeUndefined()
  const both = sent.fromGitHub(OTHER, 'push', sent.gitHubPush())
  expect(provenBy({ ...both, headers: { ...both.headers, 'x-gitlab-token': SECRET } })).toBeUndefined()
})

test('Standard Webhooks hold for five minutes before and after their time', () => {
  for (const [seconds, sender] of [
    [-301, undefined],
    [-300, 'PLAIN'],
    [300, 'PLAIN'],
    [301, undefined],
  ] as const)
    expect(provenBy(sent.fromPlain(SECRET, sent.plainPush(), after(seconds))), String(seconds)).toBe(sender)
  const { headers, body } = sent.fromPlain(SECRET, sent.plainPush(), NOW)
  for (const stamp of ['', '-1', 'NaN', `${headers['webhook-timestamp']}.0`])
    expect(provenBy({ headers: { ...headers, 'webhook-timestamp': stamp }, body })).toBeUndefined()
  const several = `v1,bm8= v1a,bm8= ${headers['webhook-signature']}`
  expect(provenBy({ headers: { ...headers, 'webhook-signature': several }, body })).toBe('PLAIN')
})

test('a delivery has the id that its provider repeats', () => {
  for (const [sender, delivery] of PUSHES(SECRET))
    expect(deliveryIdOf(sender, headerOf(delivery))).toMatch(/^[\w-]{36,}$/)
  expect(deliveryIdOf('GITHUB', () => undefined)).toBeNull()
  expect(deliveryIdOf('GITHUB', () => 'x'.repeat(201))).toBeNull()
})

type Sender = NonNullable<ReturnType<typeof senderOf>>
function hintIn(sender: Sender, delivery: Delivery) {
  return hintOf(sender, eventOf(sender, headerOf(delivery)), Buffer.from(delivery.body))
}

test('a push names its branches, and nothing else of it counts', () => {
  for (const [sender, delivery] of PUSHES(SECRET))
    expect(hintIn(sender, delivery), sender).toEqual({ kind: 'PUSH', branches: ['main'] })
  const slashed = sent.fromGitHub(SECRET, 'push', sent.gitHubPush('feature/cart'))
  expect(hintIn('GITHUB', slashed)).toEqual({ kind: 'PUSH', branches: ['feature/cart'] })
  const several = sent.bitbucketPush('main', [sent.bitbucketTag, { new: { type: 'branch', name: 'next' } }])
  expect(hintIn('BITBUCKET', sent.fromBitbucket(SECRET, 'repo:push', several))).toEqual({
    kind: 'PUSH',
    branches: ['main', 'next'],
  })
})

const NO_COMMIT = '0'.repeat(40)

test('a tag, a branch that is gone, and every other event are no push', () => {
  const others: readonly (readonly [Sender, Delivery])[] = [
    ['GITHUB', sent.fromGitHub(SECRET, 'ping', sent.gitHubExamples('ping')[0])],
    ['GITHUB', sent.fromGitHub(SECRET, 'pull_request_review', sent.gitHubExamples('pull_request_review')[0])],
    ['GITHUB', sent.fromGitHub(SECRET, 'push', sent.gitHubPush('main', { ref: 'refs/tags/main' }))],
    ['GITHUB', sent.fromGitHub(SECRET, 'push', sent.gitHubPush('main', { deleted: true }))],
    ['GITHUB', sent.fromGitHub(SECRET, 'push', sent.gitHubPush('main', { after: NO_COMMIT }))],
    ['GITHUB', sent.fromGitHub(SECRET, 'create', sent.gitHubPush())],
    ['GITEA', sent.fromGitea(SECRET, 'push', sent.giteaPush('main', { after: NO_COMMIT }))],
    ['GITEA', sent.fromGitea(SECRET, 'delete', sent.giteaPush())],
    ['GITLAB', sent.fromGitLab(SECRET, 'Tag Push Hook', sent.gitLabPush('main', { ref: 'refs/tags/main' }))],
    ['GITLAB', sent.fromGitLab(SECRET, 'Push Hook', sent.gitLabPush('main', { after: NO_COMMIT, checkout_sha: null }))],
    ['GITLAB', sent.fromGitLab(SECRET, 'Merge Request Hook', sent.gitLabPush())],
    [
      'BITBUCKET',
      sent.fromBitbucket(SECRET, 'repo:push', { push: { changes: [sent.bitbucketGone, sent.bitbucketTag] } }),
    ],
    ['BITBUCKET', sent.fromBitbucket(SECRET, 'pullrequest:created', sent.bitbucketPush())],
    ['PLAIN', sent.fromPlain(SECRET, { type: 'deleted', data: { ref: 'refs/heads/main' } }, NOW)],
  ]
  for (const [sender, delivery] of others)
    expect(hintIn(sender, delivery), delivery.body.slice(0, 80)).toEqual({ kind: 'OTHER' })
})

test('all published pushes of GitHub are read, and all its other events are left alone', () => {
  for (const payload of sent.gitHubExamples('push')) {
    const { ref, deleted } = payload as { ref: string; deleted: boolean }
    const isMove = ref.startsWith('refs/heads/') && !deleted
    const expected = isMove ? { kind: 'PUSH', branches: [ref.slice('refs/heads/'.length)] } : { kind: 'OTHER' }
    expect(hintIn('GITHUB', sent.fromGitHub(SECRET, 'push', payload))).toEqual(expected)
  }
  for (const event of ['release', 'issues', 'workflow_run', 'delete'])
    for (const payload of sent.gitHubExamples(event))
      expect(hintIn('GITHUB', sent.fromGitHub(SECRET, event, payload)), event).toEqual({ kind: 'OTHER' })
})

test('a body of another shape is no push, and one that is no JSON is refused', () => {
  for (const body of ['null', '[]', '"x"', '{}', '{"ref":1}', '{"ref":"main"}', '{"push":{"changes":5}}'])
    for (const [sender, delivery] of PUSHES(SECRET))
      expect(hintIn(sender, { ...delivery, body }), `${sender} ${body}`).toEqual({ kind: 'OTHER' })
  const { headers } = sent.fromGitHub(SECRET, 'push', sent.gitHubPush())
  for (const body of ['', 'payload=%7B%7D', '{"ref":'])
    expect(() => hintIn('GITHUB', { headers, body })).toThrow('JSON')
})

test('the event is shown as its sender names it, unless that is no name', () => {
  expect(eventOf('GITLAB', () => 'Push Hook')).toBe('Push Hook')
  expect(eventOf('PLAIN', () => undefined)).toBe('push')
  for (const name of [undefined, '', '<b>', 'x'.repeat(61)]) expect(eventOf('GITHUB', () => name)).toBe('unknown')
})

test('after a rotation the secret before is accepted for its grace alone, and only the one before', () => {
  const first = rotatedSecrets(undefined, 'one', after(60).toISOString())
  expect(acceptedSecrets(first, NOW)).toEqual(['one'])
  const second = rotatedSecrets(first, 'two', after(60).toISOString())
  expect(acceptedSecrets(second, after(59))).toEqual(['two', 'one'])
  expect(acceptedSecrets(second, after(60))).toEqual(['two'])
  expect(acceptedSecrets(rotatedSecrets(second, 'three', null), NOW)).toEqual(['three'])
})

test('a push deploys an application from a repository that deploys by itself', () => {
  const place = { providerId: null, url: 'https://forge.example/ada/shop', branch: 'main' }
  const built = { directory: '', build: 'AUTO' as const, path: null, watchPaths: [], service: null }
  const source = { kind: 'GIT' as const, ...place, ...built }
  const image = { kind: 'IMAGE' as const, image: 'shop:1', registryId: null }
  expect(watchedBranchOf({ source, autoDeploy: true })).toBe('main')
  expect(watchedBranchOf({ source, autoDeploy: false })).toBeNull()
  expect(watchedBranchOf({ source: image, autoDeploy: true })).toBeNull()
  expect(gitSourceOf({ source: image })).toBeNull()
})

test('a repository is named by its address below that of the provider', () => {
  for (const [url, base, name] of [
    ['https://github.com/ada/shop.git', 'https://github.com', 'ada/shop'],
    ['https://github.com/ada/shop', 'https://github.com', 'ada/shop'],
    ['https://git.example/lab/group/sub/shop.git', 'https://git.example/lab', 'group/sub/shop'],
    ['https://git.example:8443/ada/shop', 'https://git.example', undefined],
    ['https://other.example/ada/shop', 'https://github.com', undefined],
    ['https://git.example/labs/ada/shop', 'https://git.example/lab', undefined],
    ['https://github.com/', 'https://github.com', undefined],
    ['git@github.com:ada/shop', 'https://github.com', undefined],
  ] as const)
    expect(repositoryIn(url, base), url).toBe(name)
})
