import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fingerprint, hashOf, hostValues } from '../../src/license-client/fingerprint.ts'

it('hashes each value by itself, to 16 bytes, and shows none', () => {
  const host = { machine: 'A-Machine\n', cpu: 'processor x4' }
  const { scheme, components } = fingerprint('anchor', host)
  expect(scheme).toBe('fp1')
  expect(components).toEqual({
    install: hashOf('anchor'),
    machine: hashOf('a-machine'),
    cpu: hashOf('processor x4'),
  })
  for (const hash of Object.values(components)) expect(Buffer.from(hash, 'base64url')).toHaveLength(16)
  expect(JSON.stringify(components)).not.toMatch(/anchor|machine:|processor/)
})

/** printf %s machine | openssl dgst -sha256 -hmac daybook-fp1, its first 16 bytes. */
it('is the same for ever', () => expect(hashOf('machine')).toMatchInlineSnapshot(`"k2cniouHlVBIKSPtTIITEw"`))

it('reads what a host can be known by, and leaves out what it cannot read', async () => {
  const root = `${mkdtempSync(join(tmpdir(), 'daybook-host-'))}/`
  try {
    mkdirSync(`${root}etc`)
    writeFileSync(`${root}etc/machine-id`, 'abc\n')
    for (const name of ['docker0', 'eth0', 'veth1']) mkdirSync(`${root}sys/class/net/${name}`, { recursive: true })
    for (const [name, mac] of [
      ['docker0', '02:42:00:00:00:01'],
      ['eth0', '52:54:00:12:34:56'],
    ])
      writeFileSync(`${root}sys/class/net/${name}/address`, `${mac}\n`)
    symlinkSync('../device', `${root}sys/class/net/eth0/device`)
    const values = await hostValues(root)
    expect(values).toMatchObject({ machine: 'abc', net: '52:54:00:12:34:56' })
    expect(Object.keys(values)).not.toContain('board')
    expect(Object.keys(values)).not.toContain('rootfs')
  } finally {
    rmSync(root, { recursive: true })
  }
})
