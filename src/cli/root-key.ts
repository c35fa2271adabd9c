/**
 * The root key signs the list of keys that sign licenses (the manifest). In production its private half
 * is kept offline.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { SYSTEM_ACTOR } from '../composition/licensing.ts'
import type { Core } from '../composition/licensing.ts'
import { rootKeyVariables } from '../config/environment.ts'
import { readVariables } from '../config/variable.ts'
import type { UnitOfWork } from '../kernel/commands/command-runner.ts'
import { newEd25519, privateKeyOf, publicKeyOf, thumbprint } from '../kernel/credentials/jws.ts'
import type { Ed25519Jwk, Ed25519PrivateJwk } from '../kernel/credentials/jws.ts'
import { Manifest, verifiedManifest } from '../license-client/manifest.ts'
import { isManifestCurrent, signingKeys } from '../licensing/signing-keys/decider.ts'
import type { KeyRing } from '../licensing/signing-keys/decider.ts'
import { manifestOf, recordManifest, manifestJws } from '../licensing/signing-keys/signing-key.ts'
import { withCore } from './installation.ts'
import { ROOT_KEY_USAGE, usageOf } from './usage.ts'

/** Longer than the interval between two visits to the offline key. */
const MANIFEST_DAYS = 400
const PASSPHRASE = 'DAYBOOK_ROOT_PASSPHRASE' satisfies keyof typeof rootKeyVariables

type Command = (words: readonly string[]) => Promise<void>

const COMMANDS: Readonly<Record<string, readonly [words: number, Command]>> = {
  make: [1, make],
  request: [1, request],
  sign: [3, sign],
  import: [1, ([file = '']) => importManifest(file)],
  adopt: [2, ([publicFile = '', file = '']) => importManifest(file, publicIn(publicFile))],
}

export async function rootKey([name, ...words]: readonly string[]): Promise<number> {
  if (name === undefined) {
    await show()
    return 0
  }
  const [expected, run] = (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined) ?? []
  if (!run || words.length !== expected) {
    console.error(usageOf('daybook', ROOT_KEY_USAGE))
    return 2
  }
  await run(words)
  return 0
}

type Commands = Pick<Core, 'commands'>

const loadKeyRing = (core: Commands): Promise<KeyRing> => inUnit(core, (unit) => unit.look(signingKeys))

const inUnit = <Result>(core: Commands, work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> =>
  core.commands.run({ actor: SYSTEM_ACTOR, requestId: 'root-key' }, work)

const rootKeyPlace = ({ root }: KeyRing): string => (root?.privateJwk ? 'here, sealed in the database' : 'elsewhere')

/** Describes where the root key of an installation is kept. */
export const describeRootKeyPlace = async (core: Commands): Promise<string> => rootKeyPlace(await loadKeyRing(core))

const show = (): Promise<void> =>
  withCore(async (core, place) => {
    const ring = await loadKeyRing(core)
    const { root, manifest } = ring
    if (!root || !manifest) throw new Error(`${place} has no root key yet: it is created at the first start`)
    console.log(
      [
        `Root key of ${place}, kept ${rootKeyPlace(ring)}:`,
        `  ${JSON.stringify(root.publicJwk)}`,
        `Manifest ${manifest.serial}, valid until ${manifest.expiresAt}${isManifestCurrent(ring) ? '' : ': the keys have changed since, sign a new one'}`,
        ...Object.entries(manifest.states).map(([kid, state]) => `  ${kid} ${state}`),
      ].join('\n'),
    )
  })

/** Needs no installation: run it on an offline machine. */
async function make([file = '']: readonly string[]): Promise<void> {
  const jwk = newEd25519()
  const passphrase = passphraseIn(process.env)
  const pem = privateKeyOf(jwk).export({
    type: 'pkcs8',
    format: 'pem',
    ...(passphrase ? { cipher: 'aes-256-cbc', passphrase } : {}),
  })
  writeNew(file, String(pem), 0o600)
  writeNew(`${file}.pub`, String(publicKeyOf(jwk).export({ type: 'spki', format: 'pem' })), 0o644)
  const care = passphrase
    ? `It is encrypted with ${PASSPHRASE}.`
    : `It is not encrypted: set ${PASSPHRASE} to encrypt it.`
  console.log(`Root key ${thumbprint(jwk)} is in ${file}, its public half in ${file}.pub. ${care}`)
}

function request([file = '']: readonly string[]): Promise<void> {
  return withCore(async (core) => {
    const manifest = manifestOf(await loadKeyRing(core), core.clock.now(), MANIFEST_DAYS)
    writeNew(file, `${JSON.stringify(manifest, undefined, 2)}\n`, 0o644)
    console.log(
      `Copy ${file} to the machine with the root key, and run there: daybook root-key sign KEY ${file} MANIFEST`,
    )
  })
}

/** Needs no installation. Shows what it signs, so that the operator can check it. */
async function sign([keyFile = '', requestFile = '', file = '']: readonly string[]): Promise<void> {
  const key = privateIn(keyFile)
  const { data: manifest } = Manifest.safeParse(jsonIn(requestFile))
  if (!manifest) throw new Error(`${requestFile} is not a request from "daybook root-key request"`)
  writeNew(file, `${manifestJws(manifest, key)}\n`, 0o644)
  console.log(
    [
      `Signed with ${thumbprint(key)}: manifest ${manifest.serial}, valid until ${new Date(manifest.exp * 1_000).toISOString()}`,
      ...manifest.keys.map(({ kid, state }) => `  ${kid} ${state}`),
      `Copy ${file} back and run there: daybook root-key import ${file}`,
    ].join('\n'),
  )
}

/** @param adopted the public half of another root key, which is trusted from now on */
function importManifest(file: string, adopted?: Ed25519Jwk): Promise<void> {
  return withCore(async (core, place) => {
    const jws = readFileSync(file, 'utf8').trim()
    const publicJwk = adopted ?? (await loadKeyRing(core)).root?.publicJwk
    const rootKid = publicJwk && thumbprint(publicJwk)
    const manifest = publicJwk && verifiedManifest(jws, { kid: rootKid!, jwk: publicJwk })
    if (!manifest) throw new Error(`${file} is not a manifest signed by ${rootKid ?? 'a root key'}`)
    await inUnit(core, async (unit) => {
      if (adopted)
        await unit.decide(signingKeys, undefined, 'AdoptRoot', {
          rootKeyId: unit.newId(),
          kid: rootKid!,
          publicJwk: adopted,
        })
      await recordManifest(unit, { manifest, jws, rootKid: rootKid! })
    })
    const about = adopted
      ? `${place} trusts root key ${rootKid}. Configure panels that trust another root key with this one.`
      : ''
    console.log(`Manifest ${manifest.serial} is published. ${about}`.trim())
  })
}

const passphraseIn = (env: NodeJS.ProcessEnv): string | undefined =>
  readVariables(z.object(rootKeyVariables), env)[PASSPHRASE]

/** Never overwrites a file: it may be the only copy of a key. */
function writeNew(file: string, text: string, mode: number): void {
  writeFileSync(file, text, { mode, flag: 'wx' })
}

function privateIn(file: string): Ed25519PrivateJwk {
  const passphrase = passphraseIn(process.env)
  const key = createPrivateKey({ key: readFileSync(file), ...(passphrase ? { passphrase } : {}) })
  const { x, d } = ed25519(key, file).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x: x!, d: d! }
}

function publicIn(file: string): Ed25519Jwk {
  const { x } = ed25519(createPublicKey(readFileSync(file)), file).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x: x! }
}

function ed25519(key: KeyObject, file: string): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} contains no Ed25519 key`)
  return key
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (error) {
    throw new Error(`${file} is not JSON`, { cause: error })
  }
}
