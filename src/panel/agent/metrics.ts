import { sql } from 'kysely'
import type { Section } from '#kernel/resource/section'
import { taskTable } from '#projections/panel/agent'

const OPEN = ['QUEUED', 'RUNNING', 'CANCELLING'] as const

export const taskMetrics: NonNullable<Section['metrics']> = [
  {
    name: 'tasks_open',
    help: 'Tasks on servers that have not ended',
    label: 'state',
    async ask({ read }) {
      const counted = await taskTable
        .queryIn(read)
        .select(['state', sql<number>`count(*)::int`.as('number')])
        .where('endedAt', 'is', null)
        .groupBy('state')
        .execute()
      const numbers = new Map(counted.map(({ state, number }) => [state, number]))
      return Object.fromEntries(OPEN.map((state) => [state, numbers.get(state) ?? 0]))
    },
  },
  {
    name: 'tasks_oldest_seconds',
    help: 'Age of the oldest task that has not ended',
    label: 'state',
    async ask({ read, now }) {
      const oldest = await taskTable
        .queryIn(read)
        .select(['state', ({ fn }) => fn.min('createdAt').as('since')])
        .where('endedAt', 'is', null)
        .groupBy('state')
        .execute()
      const ages = new Map(oldest.map(({ state, since }) => [state, (now.getTime() - Date.parse(since)) / 1_000]))
      return Object.fromEntries(OPEN.map((state) => [state, Math.max(0, ages.get(state) ?? 0)]))
    },
  },
]
