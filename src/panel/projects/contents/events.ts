/** What a project contains, by kind: applications, and what later sections add. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

/** Free text, because kinds of later releases must stay readable. */
const kind = z.string().max(100)
const itemFields = { kind, itemId: z.uuid() }
/** Null: the item is in no environment. */
const environmentId = z.uuid().nullable()

const events = eventsAbout({ projectId: z.uuid() })({
  ProjectItemPlaced: {
    fields: { ...itemFields, environmentId },
    sentence: ({ projectId, kind, itemId }) => `counted ${kind} ${itemId} in project ${projectId}`,
  },
  ProjectItemGone: {
    fields: itemFields,
    sentence: ({ projectId, kind, itemId }) => `counted ${kind} ${itemId} in project ${projectId} no longer`,
  },
})

/** One stream for each project: its quotas, and whether an environment is empty, span all that it contains. */
export const projectContentsEvents = stream('projectContents', events)
