/** Updates of the panel itself. What is asked hourly is telemetry; what was found and what runs is history. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

export const CHECK_OUTCOMES = ['FOUND', 'NOTHING_NEWER', 'FAILED'] as const

const declareEvents = eventsAbout({
  /** The version that it is about. */
  panelUpdateId: z.string(),
})
const events = declareEvents({
  PanelUpdateFound: {
    fields: { runningVersion: z.string() },
    sentence: ({ panelUpdateId, runningVersion }) => `found version ${panelUpdateId}; version ${runningVersion} runs`,
  },
  /** An account asked at once. The subject is the version that runs. */
  PanelUpdateChecked: {
    fields: { outcome: z.enum(CHECK_OUTCOMES) },
    sentence: ({ panelUpdateId, outcome }) => `asked for updates of version ${panelUpdateId}: ${outcome}`,
  },
  /** An account asked the panel to install a version itself: the task of its own host does it. */
  PanelUpdateAsked: {
    fields: {
      taskId: z.uuid(),
      /** Of the file of the image: SHA-256 in hex, and bytes. */
      sha256: z.string(),
      size: z.int(),
    },
    sentence: ({ panelUpdateId, taskId, sha256 }) =>
      `asked to install version ${panelUpdateId} from file ${sha256} by task ${taskId}`,
  },
  PanelUpdateInstalled: {
    fields: { taskId: z.uuid() },
    sentence: ({ panelUpdateId, taskId }) => `installed version ${panelUpdateId} by task ${taskId}`,
  },
  PanelUpdateFailed: {
    fields: { taskId: z.uuid(), code: z.string() },
    sentence: ({ panelUpdateId, taskId, code }) =>
      `could not install version ${panelUpdateId} by task ${taskId}: ${code}`,
  },
  PanelUpdateApplied: {
    fields: { formerVersion: z.string() },
    sentence: ({ panelUpdateId, formerVersion }) => `version ${panelUpdateId} runs in place of ${formerVersion}`,
  },
})

/** One stream for the installation, because one version runs. */
export const panelUpdateEvents = stream('panelUpdate', events)
