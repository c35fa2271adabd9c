/** A process that requests fifty new keys when it is told to. Arguments: database URL, KEK in hex. */
import { once } from 'node:events'
import { servicePool } from '#kernel/store/connection'
import { postgresKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'

const [url = '', kek = ''] = process.argv.slice(2)
const pool = servicePool(url, { role: 'daybook_service' })
const vault = openVault({ store: postgresKeyStore(pool), kek: Buffer.from(kek, 'hex') })
await vault.check()
process.send?.('ready')
await once(process, 'message')
const names = Array.from({ length: 50 }, (_, n) => `raced-${n}`)
const keys = await Promise.all(names.map((name) => vault.key(name)))
process.send?.(keys.map((key) => key.toString('hex')))
await pool.end()
process.disconnect()
