/**
 * One contestant in a process of its own, because it may change pg, the heap and the compiler. Ends when its
 * parent disconnects.
 */
import type { Contestant, ContestantName } from './contestant.ts'
import { measure } from './measure.ts'
import type { Task } from './measure.ts'

export type Ask =
  | { readonly does: 'setup'; readonly url: string }
  | { readonly does: 'seed'; readonly url: string; readonly events: number }
  | ({ readonly does: 'measure' } & Task)

const LOADED: Readonly<Record<ContestantName, () => Promise<Contestant>>> = {
  daybook: async () => (await import('./contestants/daybook.ts')).daybook,
  emmett: async () => (await import('./contestants/emmett.ts')).emmett,
  'message-db': async () => (await import('./contestants/message-db.ts')).messageDb,
  castore: async () => (await import('./contestants/castore.ts')).castore,
  bare: async () => (await import('./contestants/bare.ts')).bare,
  pgbench: async () => (await import('./contestants/pgbench.ts')).pgbench,
  copy: async () => (await import('./contestants/copy.ts')).copy,
}

async function answer(contestant: Contestant, ask: Ask): Promise<unknown> {
  if (ask.does === 'setup') return contestant.setup?.(ask.url)
  if (ask.does === 'seed') return contestant.seed?.(ask.url, ask.events)
  return measure(contestant, ask)
}

const contestant = await LOADED[process.argv[2] as ContestantName]()

process.on('message', (ask: Ask) => {
  answer(contestant, ask).then(
    (result) => process.send!({ result }),
    (error: unknown) =>
      process.send!({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send!({ result: 'ready' })
