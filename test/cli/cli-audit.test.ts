/** `daybook audit`: what an auditor types, and what the command prints. */
import { writeFileSync } from 'node:fs'
import { compactVerify, importJWK } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { openSite, openShop, signIn } from '../support/processes/site.ts'
import { scratchPath } from '../support/scratch.ts'

const site = await openSite()
afterAll(site.close, 60_000)
const { finished } = site
/** A running service looks for what to sign after 10 s. It waits on a site of its own, while the other tests run. */
const waiting = await openSite()
afterAll(waiting.close, 60_000)
await waiting.service()

test.each([
  ['audit'],
  ['audit', 'check'],
  ['audit', 'verify', 'FILE'],
  ['audit', 'verify', '--checkpoint'],
  ['audit', 'key', 'x'],
])('%s %s %s: what is not understood is not done', async (...args) => {
  expect(await finished(args.filter(Boolean))).toMatchObject({ code: 2, complained: expect.stringMatching(/^Usage: /) })
})

test('a checkpoint is copied out, is believed elsewhere by its key alone, and shows what the database hides', async () => {
  const service = await site.service()
  await openShop(service, await signIn(service))
  const noted = await finished(['audit', 'checkpoint'])
  expect(noted).toMatchObject({ code: 0, complained: expect.stringContaining('Store it where') })
  const key = await importJWK(JSON.parse((await finished(['audit', 'key'])).said), 'EdDSA')
  const { payload } = await compactVerify(noted.said.trim(), key)
  const { position, hash } = JSON.parse(Buffer.from(payload).toString())

  const file = scratchPath()
  writeFileSync(file, noted.said)
  const valid = await finished(['audit', 'verify', '--checkpoint', file])
  expect(valid).toMatchObject({ code: 0, complained: '' })
  expect(valid.said).toContain(`Valid: ${position} events, chain ${hash}`)
  expect((await finished(['audit', 'verify'])).said).toContain('Only an exported checkpoint can show')
  const { rows } = await site.superuser.query(`DELETE FROM store.claim WHERE scope = 'planSlug' RETURNING *`)
  for (const [words, line] of [
    [['audit', 'verify'], 'BROKEN. The unique constraint planSlug that'],
    [['doctor'], 'problem  claims         The unique constraint planSlug that'],
  ] as const) {
    const { code, said, complained } = await finished(words)
    expect([code, said + complained]).toEqual([1, expect.stringContaining(line)])
  }
  for (const { scope, key: slug, holder, pos } of rows)
    await site.superuser.query('INSERT INTO store.claim VALUES ($1, $2, $3, $4)', [scope, slug, holder, pos])

  await service.stop()
  await site.superuser.query(`
    ALTER TABLE store.event DISABLE TRIGGER append_only;
    ALTER TABLE store.chain DISABLE TRIGGER append_only;
    ALTER TABLE store.checkpoint DISABLE TRIGGER append_only;
    DELETE FROM store.checkpoint;
    DELETE FROM store.event WHERE pos > ${position - 1};
    DELETE FROM store.chain WHERE to_pos > ${position - 1}`)
  expect(await finished(['audit', 'verify'])).toMatchObject({ code: 0 })
  const cut = await finished(['audit', 'verify', '--checkpoint', file])
  expect([cut.code, cut.said]).toEqual([1, ''])
  expect(cut.complained).toMatch(/BROKEN\. The end of the log was cut off: events? .*\d+ existed/)
}, 120_000)

test('a running service signs where the history stands, unasked', async () => {
  const signed = async () =>
    (await waiting.superuser.query('SELECT max(position)::int AS at FROM store.checkpoint')).rows[0].at
  await expect.poll(signed, { timeout: 30_000, interval: 200 }).toBeGreaterThan(0)
}, 60_000)
