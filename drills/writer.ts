/**
 * A process that appends through the store's port, with as many appends at a time as requested. It reports
 * the event ids that were acknowledged. Arguments: database URL, lanes, events in an append at most.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Append } from '../src/kernel/events/store-port.ts'
import { postgresStore } from '../src/kernel/store/postgres/postgres-store.ts'

const TOLD_EACH_MS = 5
const [url = '', lanes = '16', most = '3'] = process.argv.slice(2)
const PAYLOAD = 'x'.repeat(400)

const store = postgresStore({ url })
let told: string[] = []

function anAppend(): { append: Append; ids: string[] } {
  const ids = Array.from({ length: randomInt(1, Number(most) + 1) }, () => randomUUID())
  const events = ids.map((id) => ({ id, type: 'Drilled', schemaVersion: 1, data: { text: PAYLOAD }, metadata: {} }))
  return { append: { parts: [{ stream: `drill-${randomUUID()}`, expected: 0, events }] }, ids }
}

/** Repeats the same append until it is answered: its ids make that safe. */
async function appended(append: Append): Promise<void> {
  for (;;)
    try {
      return void (await store.append(append))
    } catch {
      await pause(50)
    }
}

async function lane(): Promise<never> {
  for (;;) {
    const { append, ids } = anAppend()
    await appended(append)
    told.push(...ids)
  }
}

setInterval(() => {
  if (told.length === 0) return
  process.send?.(told)
  told = []
}, TOLD_EACH_MS)
process.once('disconnect', () => process.exit())
for (let n = 0; n < Number(lanes); n += 1) void lane()
