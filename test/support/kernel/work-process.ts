/**
 * A worker process that ends itself by SIGKILL at its nth query: `DATABASE_URL FILE N before|after`. N 0:
 * never. It prints `started`, and its effect outside the database is a line in the file.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { reaction } from '#kernel/jobs/reaction'
import { LampLit, echo, goOutTimer, jobFixture } from './job-fixture.ts'

const [url, file, nth, when] = process.argv.slice(2) as [string, string, string, string]
let said = 0

const query = pg.Client.prototype.query as (...words: unknown[]) => unknown
const die = () => process.kill(process.pid, 'SIGKILL')
pg.Client.prototype.query = function (this: unknown, ...words: unknown[]) {
  said += 1
  const isLast = said === Number(nth)
  if (isLast && when === 'before') die()
  const answer = query.apply(this, words)
  // A pool passes a callback. In that case the process dies after the time that the answer takes.
  if (isLast) void (answer instanceof Promise ? answer.finally(die) : sleep(3).then(die))
  return answer
} as never

const here = jobFixture(url, { clock: { now: () => new Date() }, isShared: true })
const tell = reaction('tell', {
  on: [LampLit],
  outside: true,
  run: ({ id }, { once }) => once('line', async () => appendFileSync(file, `${id}\n`)),
})
said = 0
await here.started({ reactions: [echo, tell], timers: [goOutTimer(here.alarms)] })
console.log('started')
