/** What the panel reads of the four providers with an API: the same questions to each, over HTTP. */
import { afterAll, describe, expect, test } from 'vitest'
import { bitbucket } from '#panel/adapters/git/bitbucket'
import type { ForgeConnection } from '#panel/adapters/git/forge-calls'
import type { Forge } from '#panel/adapters/git/git-reader'
import { gitea } from '#panel/adapters/git/gitea'
import { gitHub } from '#panel/adapters/git/github'
import { gitLab } from '#panel/adapters/git/gitlab'
import { bitbucketDouble, MAIL_ADDRESS } from '../../support/panel/forges/bitbucket.ts'
import { FORGE_TOKEN, ForgeAnswer } from '../../support/panel/forges/forge-server.ts'
import { gitHubDouble, giteaDouble, GITHUB_BASE } from '../../support/panel/forges/github-like.ts'
import { gitLabDouble } from '../../support/panel/forges/gitlab.ts'
import { hooksAt } from '../../support/panel/forges/hooks.ts'
import { BRANCHES, commitOf, OTHER, REPOSITORIES, REPOSITORY } from '../../support/panel/forges/repository.ts'

const inWorkspace = (username: string | null) => (given: ForgeConnection) =>
  bitbucket({ ...given, workspace: 'ada', username })

const PROVIDERS = [
  { name: 'GitHub', base: GITHUB_BASE, double: await gitHubDouble(), forge: gitHub, sizes: true },
  { name: 'Gitea', base: '/api/v1', double: await giteaDouble(), forge: gitea, sizes: true },
  { name: 'GitLab', base: '/api/v4', double: await gitLabDouble(), forge: gitLab, sizes: false },
  { name: 'Bitbucket', base: '/2.0', double: await bitbucketDouble(), forge: inWorkspace(null), sizes: true },
  {
    name: 'Bitbucket with a mail address',
    base: '/2.0',
    double: await bitbucketDouble(),
    forge: inWorkspace(MAIL_ADDRESS),
    sizes: true,
  },
]
afterAll(() => Promise.all(PROVIDERS.map(({ double }) => double.close())))

const refusal = async (asked: Promise<unknown>) =>
  asked.then(
    () => 'no refusal',
    (error: { statusCode: number; code: string }) => [error.statusCode, error.code],
  )

describe.each(PROVIDERS)('$name', ({ base, double, forge, sizes }) => {
  const connect = (more: Partial<ForgeConnection> = {}): Forge =>
    forge({
      api: `${double.url}${base}`,
      token: FORGE_TOKEN,
      reach: { allow: ['127.0.0.1'] },
      signal: new AbortController().signal,
      ...more,
    })
  const own = connect()
  const at = (path: string, ref?: string) => ({ repo: REPOSITORY, ref, path })

  test('says whose the credentials are, and refuses others', async () => {
    expect(await own.account()).toBe('ada')
    expect(await refusal(connect({ token: 'another' }).account())).toEqual([409, 'PROVIDER_REFUSED'])
  })

  test('calls no address that is neither public nor allowed', async () => {
    const before = double.heard.length
    expect(await refusal(connect({ reach: {} }).account())).toEqual([400, 'ADDRESS_REFUSED'])
    expect(double.heard).toHaveLength(before)
  })

  test('lists repositories by page, and finds those with a part of their name', async () => {
    const [first, second] = [await own.repositories('', 1), await own.repositories('', 2)]
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(REPOSITORIES)
    expect([first.nextPage, second.nextPage]).toEqual([2, null])
    const { items, nextPage } = await own.repositories('hop', 1)
    expect(items).toEqual([await own.repository(REPOSITORY)])
    expect(nextPage).toBeNull()
    expect((await own.repositories('none', 1)).items).toEqual([])
  })

  test('shows a repository, and an empty one without a branch', async () => {
    const shown = { name: REPOSITORY, defaultBranch: 'main', private: true }
    expect(await own.repository(REPOSITORY)).toEqual({
      ...shown,
      cloneUrl: expect.stringMatching(/^https?:\/\/[^@]+\/ada\/shop\.git$/),
    })
    expect(await own.repository(OTHER)).toMatchObject({ defaultBranch: null, private: false })
    expect(await refusal(own.repository('ada/unknown'))).toEqual([404, 'NOT_FOUND'])
  })

  test('lists all branches with their commits, and finds those with a part of their name', async () => {
    const all = await own.branches(REPOSITORY, '')
    expect(all.map(({ name }) => name)).toEqual(BRANCHES)
    expect(all.filter(({ isDefault }) => isDefault)).toEqual([
      { name: 'main', commit: commitOf('main'), isDefault: true },
    ])
    expect((await own.branches(REPOSITORY, 'cart')).map(({ name }) => name)).toEqual(['feature/cart'])
  })

  test('lists a directory with links and submodules as such', async () => {
    const { entries, isCut } = await own.tree(at(''))
    const typeOf = Object.fromEntries(entries.map(({ name, type }) => [name, type]))
    expect(typeOf).toMatchObject({ 'README.md': 'FILE', src: 'DIRECTORY', secret: 'LINK', vendor: 'SUBMODULE' })
    expect(entries.find(({ name }) => name === 'README.md')?.bytes).toBe(sizes ? 18 : null)
    expect(isCut).toBe(false)
    expect((await own.tree(at('src', 'feature/cart'))).entries.map(({ name }) => name)).toEqual(['deep er', 'index.ts'])
    expect(await refusal(own.tree(at('nowhere')))).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(own.tree(at('', 'unknown')))).toEqual([404, 'NOT_FOUND'])
  })

  test('lists at most 2,000 entries of a directory, and says so', async () => {
    const { entries, isCut } = await own.tree(at('many'))
    expect([entries.length, isCut]).toEqual([2_000, true])
  })

  test('reads a file at a branch and at a commit', async () => {
    for (const ref of [undefined, 'feature/cart', commitOf('main')])
      expect(String(await own.file(at('src/deep er/ünit.ts', ref)))).toBe('deep\n')
    expect(String(await own.file(at('README.md')))).toBe('# Shop — a text\n')
    expect(await refusal(own.file(at('nowhere.md')))).toEqual([404, 'NOT_FOUND'])
  })

  test('follows no link and reads no directory, submodule or large file', async () => {
    for (const path of ['secret', 'src', 'vendor'])
      expect(await refusal(own.file(at(path))), path).toEqual([409, 'NOT_A_FILE'])
    expect(await refusal(own.file(at('docs/index.ts')))).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(own.file(at('large.txt')))).toEqual([409, 'FILE_TOO_LARGE'])
  })

  test.each([
    ['another program', new ForgeAnswer(200, { unexpected: true }), 'PROVIDER_REFUSED'],
    ['a page', new ForgeAnswer(200, Buffer.from('<html>')), 'PROVIDER_REFUSED'],
    ['a redirect', new ForgeAnswer(302, {}), 'PROVIDER_REFUSED'],
    ['a limit', new ForgeAnswer(429, {}), 'PROVIDER_REFUSED'],
    ['too much', new ForgeAnswer(200, Buffer.alloc(1_048_577, ' ')), 'TOO_LONG'],
  ])('%s in its place is refused', async (_what, answer, code) => {
    double.fail(answer)
    expect(await refusal(own.repositories('', 1))).toEqual([409, code])
    double.fail(undefined)
  })

  test('has pushes delivered to an address, by one webhook whose secret can be changed', async () => {
    const [one, other] = ['https://panel.test/one', 'https://panel.test/other']
    const secretOf = (secret: string) => ({ secret: `whsec_${Buffer.alloc(32, secret).toString('base64')}` })
    await own.putPushHook(REPOSITORY, { url: one, ...secretOf('a') })
    await own.putPushHook(REPOSITORY, { url: other, ...secretOf('b') })
    await own.putPushHook(REPOSITORY, { url: one, ...secretOf('c') })
    const stored = hooksAt(double.url).map(({ values }) => JSON.stringify(values))
    expect(stored).toHaveLength(2)
    expect(stored[0]).toContain(one)
    expect(stored[0]).toContain(secretOf('c').secret)
    expect(stored[1]).toContain(secretOf('b').secret)
    const unknown = own.putPushHook('ada/unknown', { url: one, ...secretOf('a') })
    expect(await refusal(unknown)).toEqual([404, 'NOT_FOUND'])
  })

  test('an address where nothing listens is refused', async () => {
    expect(await refusal(connect({ api: 'http://127.0.0.1:1' }).account())).toEqual([409, 'PROVIDER_UNREACHABLE'])
  })
})
