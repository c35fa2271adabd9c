/**
 * The sealed values of a golden log. A service seals with random keys and nonces. The log holds the same plain
 * texts, sealed anew by today's vault: the key follows from its subject, the nonce from the event. So each value
 * is one that a service could have stored, and the same in every run.
 */
import { createHash, createSecretKey } from 'node:crypto'
import type { Pool } from 'pg'
import { eventCodec, ipSealField } from '#kernel/events/codec'
import type { EventCodec } from '#kernel/events/codec'
import type { Stream } from '#kernel/events/event'
import type { EventStore, EventToAppend, JsonObject, RecordedEvent } from '#kernel/events/store-port'
import { encrypt } from '#kernel/vault/aes-gcm'
import { memoryKeyStore, postgresKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import type { Vault } from '#kernel/vault/vault'
import { GOLDEN_KEK } from '#test/support/golden-log'
import type { GoldenEvent, GoldenLog } from '#test/support/golden-log'
import { overrideStore } from '#test/support/override-store'
import type { FixedWorld } from './fixed-world.ts'

/** Addresses, links and sessions are derived from these, so a service gets them before it starts. */
const INSTALLATION_KEYS = [
  'agent-tokens',
  'artifact-link',
  'check',
  'checkpoints',
  'customer-sessions',
  'daybook_panel_device',
  'daybook_shop_device',
  'daybook_staff_device',
  'idempotency',
  'install-tokens',
  'installation',
  'names of images',
  'pepper',
  'preview-token',
  'registry-passwords',
  'setup-token',
  'shop-links',
  'shop-refresh',
  'staff-link',
  'staff-refresh',
  'staff-sessions',
  'user-link',
  'user-refresh',
  'user-sessions',
  'webhook-ed25519',
].map((name) => `installation-key/${name}`)

const dataKey = (subject: string): Buffer => createHash('sha256').update(`golden data key of ${subject}`).digest()

const wrapped = (subject: string): Buffer => encrypt(createSecretKey(GOLDEN_KEK), dataKey(subject), subject)

export async function putInstallationKeys(pool: Pool): Promise<void> {
  const keys = postgresKeyStore(pool)
  for (const subject of INSTALLATION_KEYS) await keys.put(subject, wrapped(subject))
}

interface Opened {
  readonly data: JsonObject
  readonly ip: string | undefined
}

export interface PlainEvents {
  /** The store, whose events are opened before they are appended: later their key may be destroyed. */
  wrap(store: EventStore): EventStore
  of(eventId: string): Opened
}

export function plainEvents(streams: readonly Stream[], pool: Pool): PlainEvents {
  const vault = openVault({ store: postgresKeyStore(pool), kek: GOLDEN_KEK })
  const codec = eventCodec(streams, vault)
  const opened = new Map<string, Opened>()
  const remember = async (event: EventToAppend): Promise<void> =>
    void opened.set(event.id, {
      data: (await codec.decode(event as RecordedEvent)).data as JsonObject,
      ip: await openedIp(vault, event),
    })
  return {
    wrap: (store) =>
      overrideStore(store, {
        append: async (append) => {
          for (const event of append.parts.flatMap(({ events }) => events)) await remember(event)
          return store.append(append)
        },
      }),
    of: (eventId) => opened.get(eventId)!,
  }
}

async function openedIp(vault: Vault, { metadata }: EventToAppend): Promise<string | undefined> {
  const { ip, actor } = metadata as { ip?: string; actor: { type: string; id: string } }
  return ip === undefined ? undefined : vault.open(ip, ipSealField(actor))
}

/**
 * @param erased the subjects whose keys are destroyed
 * @throws Error for a key of the installation that is not fixed
 */
export async function sealedAnew(
  events: readonly GoldenEvent[],
  plain: PlainEvents,
  parts: { readonly streams: readonly Stream[]; readonly subjects: readonly string[]; readonly world: FixedWorld },
): Promise<Pick<GoldenLog, 'events' | 'keys'>> {
  const { streams, subjects, world } = parts
  const unknown = subjects.filter((each) => each.startsWith('installation-key/') && !INSTALLATION_KEYS.includes(each))
  if (unknown.length > 0) throw new Error(`Add ${unknown.join(', ')} to INSTALLATION_KEYS`)
  const keyOf = (subject: string): Buffer => {
    world.label(`key of ${subject}`)
    return wrapped(subject)
  }
  const store = memoryKeyStore()
  const vault = openVault({
    store: { ...store, put: async (subject) => store.put(subject, keyOf(subject)) },
    kek: GOLDEN_KEK,
  })
  const codec = eventCodec(streams, vault)
  const sealed: GoldenEvent[] = []
  for (const event of events) sealed.push(await sealedEvent(event, plain.of(event.id), { codec, vault, world }))
  return { events: sealed, keys: Object.fromEntries(subjects.map((each) => [each, keyOf(each).toString('base64')])) }
}

async function sealedEvent(
  event: GoldenEvent,
  plain: Opened,
  { codec, vault, world }: { readonly codec: EventCodec; readonly vault: Vault; readonly world: FixedWorld },
): Promise<GoldenEvent> {
  const type = codec.typeOf(event.type)
  const data = { ...event.data }
  for (const field of type.sealedFields) {
    const text = plain.data[field]
    if (typeof text !== 'string') continue
    const subject = type.options.sealedFor!(plain.data)
    await vault.seal('', { subject, type: type.type, field })
    world.label(`${event.id} ${field}`)
    data[field] = await vault.seal(text, { subject, type: type.type, field })
  }
  const { actor } = event.metadata as unknown as { actor: { type: string; id: string } }
  if (plain.ip === undefined) return { ...event, data }
  await vault.seal('', { ...ipSealField(actor), type: 'metadata' })
  world.label(`${event.id} ip`)
  return {
    ...event,
    data,
    metadata: { ...event.metadata, ip: await vault.seal(plain.ip, { ...ipSealField(actor), type: 'metadata' }) },
  }
}
