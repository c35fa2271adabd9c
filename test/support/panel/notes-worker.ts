/** A worker process of a panel with notes: `DATABASE_URL SECRET_KEY [EVENT_STORE_URL]`. It prints `started`. */
import { registerReactions } from '#kernel/jobs/reaction-subscriber'
import { serviceRegistry } from '#kernel/lib/services'
import { logger } from '#kernel/logging/log'
import { sections } from '#panel/index'
import { undestroyedSubjects } from '#projections/panel/users'
import { composition, openCore } from '../../../src/composition/core.ts'
import { openWorker } from '../../../src/composition/worker.ts'
import { notesSection } from './notes/index.ts'

const [databaseUrl = '', secretKey = '', eventStoreUrl] = process.argv.slice(2)
const log = logger({ level: 'error', destination: process.stderr })
const made = composition([...sections, notesSection], undestroyedSubjects)
const settings = { databaseUrl, eventStoreUrl, secretKey: Buffer.from(secretKey, 'hex') }
const core = await openCore(made, settings, () => serviceRegistry([]), log)
await core.projector.prepare()
await registerReactions({ store: core.store, pool: core.pool }, made.reactions)
core.projector.start()
await openWorker(core, { databaseUrl, baseUrl: 'http://panel.test' }, log)
console.log('started')
