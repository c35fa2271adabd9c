/** Usage of a project by day. */
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { buildSecondsByDay, countedUntil, deploymentsByDay } from '#projections/panel/projects/usage'
import { inProjectByKey } from '../../access/project-access.ts'
import { countsByDay, DAYS_MAX, usageDays } from './days.ts'

const VIEW = 'platform:projects:view'

const UsageDay = z
  .object({
    day: z.iso.date().describe('In UTC.'),
    applications: z.int().describe('At the end of the day.'),
    deployments: z.int().describe('Deployments that were asked for.'),
    failed: z.int().describe('Deployments that failed.'),
    buildSeconds: z.int().describe('Of the builds that ended on this day.'),
    members: z.int().describe('Members with an account, at the end of the day.'),
  })
  .meta({ id: 'ProjectUsageDay' })

export const usageRoutes = [
  route('GET /api/projects/:id/usage/history', {
    does: 'Count the applications, deployments, builds and members of a project for each day of a period.',
    access: inProjectByKey(VIEW),
    query: z.strictObject({
      from: z.iso.date().optional().describe('The first day, in UTC. Default: 29 days before the last one.'),
      to: z.iso
        .date()
        .optional()
        .describe(`The last day, in UTC. Default: today. The period has at most ${DAYS_MAX} days.`),
    }),
    reply: z.array(UsageDay),
    async handle({ read, now, query, params: { id: projectId } }) {
      const days = usageDays(query, now)
      const period = { projectId, from: days[0]!, to: days.at(-1)! }
      const [changes, asked, built] = await Promise.all([
        countedUntil(read, period),
        deploymentsByDay(read, period),
        buildSecondsByDay(read, period),
      ])
      const applications = countsByDay(days, changes, 'APPLICATION_ADDED', 'APPLICATION_GONE')
      const members = countsByDay(days, changes, 'MEMBER_JOINED', 'MEMBER_GONE')
      const askedOn = (day: string, what: string) =>
        asked.find((each) => each.day === day && each.what === what)?.number ?? 0
      const seconds = new Map(built.map((each) => [each.day, each.seconds]))
      return days.map((day, nth) => ({
        day,
        applications: applications[nth]!,
        deployments: askedOn(day, 'DEPLOYMENT_ASKED'),
        failed: askedOn(day, 'DEPLOYMENT_FAILED'),
        buildSeconds: seconds.get(day) ?? 0,
        members: members[nth]!,
      }))
    },
  }),
]
