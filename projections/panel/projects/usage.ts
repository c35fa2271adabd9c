/** What happened in projects, to be counted by day. It stays when what it is about is gone, until the project is deleted. */
import { sql } from 'kysely'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { id, integer, key, oneOf, readModel, timestamptz } from '#kernel/projections/read-model'
import type { ProjectedEvent, RowOf, TableWriter } from '#kernel/projections/read-model'
import { deploymentEvents } from '#panel/deployments/events'
import { projectContentsEvents } from '#panel/projects/contents/events'
import { projectEvents } from '#panel/projects/events'

type Happened =
  | 'APPLICATION_ADDED'
  | 'APPLICATION_GONE'
  | 'MEMBER_JOINED'
  | 'MEMBER_GONE'
  | 'DEPLOYMENT_ASKED'
  | 'DEPLOYMENT_FAILED'
  | 'BUILD_BEGAN'
  | 'BUILD_ENDED'

const columns = {
  id: key,
  projectId: id,
  what: oneOf<Happened>(),
  /** The application, the member or the deployment. */
  subjectId: id,
  position: integer,
  at: timestamptz,
}

type Usage = TableWriter<RowOf<typeof columns>>
type Of<What> = What & { readonly projectId: string }

const noted = (
  table: Usage,
  { id, at, position }: ProjectedEvent,
  row: { readonly projectId: string; readonly what: Happened; readonly subjectId: string },
) => table.insert({ ...row, id, at, position })

type Step = Of<{ readonly deploymentId: string; readonly step: string }>

const begins = (table: Usage, { projectId, deploymentId: subjectId, step }: Step, event: ProjectedEvent) =>
  step === 'BUILDING' ? noted(table, event, { projectId, what: 'BUILD_BEGAN', subjectId }) : undefined

/** With its last image, or without it. */
const ends = (table: Usage, { projectId, deploymentId: subjectId, step }: Step, event: ProjectedEvent) =>
  step === 'BUILDING' ? undefined : noted(table, event, { projectId, what: 'BUILD_ENDED', subjectId })

const joined = (
  table: Usage,
  { projectId, memberId: subjectId }: Of<{ readonly memberId: string }>,
  event: ProjectedEvent,
) => noted(table, event, { projectId, what: 'MEMBER_JOINED', subjectId })

type Item = Of<{ readonly kind: string; readonly itemId: string }>

/** An application may also come from another project, and leave for one. */
const contentsOf = (
  table: Usage,
  { projectId, kind, itemId: subjectId }: Item,
  what: 'APPLICATION_ADDED' | 'APPLICATION_GONE',
  event: ProjectedEvent,
) => (kind === 'APPLICATION' ? noted(table, event, { projectId, what, subjectId }) : undefined)

export const projectUsageTable = readModel('projectUsage', 1, columns, [
  '(project_id, what, at)',
  '(project_id, position)',
])
  .from(projectEvents, {
    ProjectCreated: (table, { projectId, memberId }, event) =>
      memberId === null ? undefined : joined(table, { projectId, memberId }, event),
    ProjectMemberAdded: (table, { userId, ...member }, event) =>
      userId === null ? undefined : joined(table, member, event),
    ProjectMemberJoined: joined,
    ProjectOwnershipClaimed: joined,
    ProjectMemberRemoved: (table, { projectId, memberId: subjectId }, event) =>
      noted(table, event, { projectId, what: 'MEMBER_GONE', subjectId }),
    ProjectDeleted: (table, { projectId }) => table.remove({ projectId }),
  })
  .from(projectContentsEvents, {
    ProjectItemPlaced: (table, item, event) => contentsOf(table, item, 'APPLICATION_ADDED', event),
    ProjectItemGone: (table, item, event) => contentsOf(table, item, 'APPLICATION_GONE', event),
  })
  .from(deploymentEvents, {
    DeploymentRequested: (table, { projectId, deploymentId: subjectId }, event) =>
      noted(table, event, { projectId, what: 'DEPLOYMENT_ASKED', subjectId }),
    DeploymentStarted: begins,
    DeploymentFetched: begins,
    DeploymentBuilt: ends,
    DeploymentFailed: (table, { projectId, deploymentId: subjectId }, event) =>
      noted(table, event, { projectId, what: 'DEPLOYMENT_FAILED', subjectId }),
    DeploymentCancelled: (table, { projectId, deploymentId }, event) =>
      ends(table, { projectId, deploymentId, step: 'NONE' }, event),
  })

/** Days in UTC, the last one included. */
export interface UsagePeriod {
  readonly projectId: string
  readonly from: string
  readonly to: string
}

const usageOf = (read: ReadDatabase, projectId: string) =>
  projectUsageTable.queryIn(read).where('projectId', '=', projectId)

const dayOf = (moment: string) => sql<string>`to_char(${sql.ref(moment)} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
const beginOf = (day: string): string => `${day}T00:00:00.000Z`
const DAY_MS = 86_400_000
const endOf = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString()

const COUNTED = ['APPLICATION_ADDED', 'APPLICATION_GONE', 'MEMBER_JOINED', 'MEMBER_GONE'] as const
const FLOWING = ['DEPLOYMENT_ASKED', 'DEPLOYMENT_FAILED'] as const
const BUILDING = ['BUILD_BEGAN', 'BUILD_ENDED', 'DEPLOYMENT_FAILED'] as const

/** What the numbers of applications and members follow from, from the beginning on. */
export const countedUntil = (read: ReadDatabase, { projectId, to }: Omit<UsagePeriod, 'from'>) =>
  usageOf(read, projectId)
    .where('what', 'in', COUNTED)
    .where('at', '<', endOf(to))
    .select(['what', 'subjectId', dayOf('at').as('day')])
    .orderBy('position')
    .orderBy('id')
    .execute()

export const deploymentsByDay = (read: ReadDatabase, { projectId, from, to }: UsagePeriod) =>
  usageOf(read, projectId)
    .where('what', 'in', FLOWING)
    .where('at', '>=', beginOf(from))
    .where('at', '<', endOf(to))
    .groupBy(['what', dayOf('at')])
    .select(({ fn }) => ['what', dayOf('at').as('day'), fn.countAll<number>().as('number')])
    .execute()

/** Builds by the day at which they ended. */
export function buildSecondsByDay(read: ReadDatabase, { projectId, from, to }: UsagePeriod) {
  const builds = usageOf(read, projectId)
    .where('what', 'in', BUILDING)
    .groupBy('subjectId')
    .select(({ fn }) => [
      fn.min('at').filterWhere('what', '=', 'BUILD_BEGAN').as('began'),
      fn.min('at').filterWhere('what', '!=', 'BUILD_BEGAN').as('ended'),
    ])
  return read
    .selectFrom(builds.as('build'))
    .where('began', 'is not', null)
    .where('ended', '>=', beginOf(from))
    .where('ended', '<', endOf(to))
    .groupBy(dayOf('ended'))
    .select([dayOf('ended').as('day'), sql<number>`round(sum(extract(epoch FROM ended - began)))::int`.as('seconds')])
    .execute()
}
