/** A process that appends three events at a time until it is killed. Arguments: database URL, stream. */
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { anAppend, anEvent } from './appends.ts'

const [url = '', stream = ''] = process.argv.slice(2)
const store = postgresStore({ url })
for (;;) {
  await store.append(anAppend(stream, 'any', anEvent(), anEvent(), anEvent()))
  process.send?.('appended')
}
