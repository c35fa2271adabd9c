/**
 * A process that appends to a peer and reports how many appends were acknowledged. Each append runs once,
 * because a peer does not recognise a repeated event. Arguments: database URL, lanes, subject.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Opened } from './subject.ts'
import { subjectNamed } from './subjects.ts'

const TOLD_EACH_MS = 5
const [url = '', lanes = '16', name = ''] = process.argv.slice(2)
// Some peers do not handle the errors of killed connections.
process.on('uncaughtException', () => {})
process.once('disconnect', () => process.exit())

const opened = await opening()
let [acknowledged, told]: [number, string[]] = [0, []]

/** Postgres may be down at this moment. */
async function opening(): Promise<Opened> {
  for (;;)
    try {
      return await subjectNamed(name).open(url, Number(lanes))
    } catch {
      await pause(200)
    }
}

async function lane(): Promise<never> {
  for (;;)
    try {
      await opened.append()
      told.push(`${process.pid}-${(acknowledged += 1)}`)
    } catch {
      await pause(50)
    }
}

setInterval(() => {
  if (told.length === 0) return
  process.send?.(told)
  told = []
}, TOLD_EACH_MS)
for (let n = 0; n < Number(lanes); n += 1) void lane()
