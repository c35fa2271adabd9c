/** Finds keys that are no longer used and notifies their owners, because such keys still grant access. */
import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { idleKeys } from '#projections/panel/api-keys'
import { recipientOf } from '../access/mail-recipient.ts'
import { apiKeys, IDLE_DAYS } from './decider.ts'
import { apiKeyEvents } from './events.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const AT_ONCE = 500

/** The next run, an hour later, finds the rest. */
export const noteIdleKeys = recurringJob('idle-api-keys', HOUR_MS, async ({ run, read, now, signal }) => {
  const before = new Date(now.getTime() - IDLE_DAYS * DAY_MS)
  for (const { id: apiKeyId, ownerId, idleSince } of await idleKeys(read, { now, before, limit: AT_ONCE })) {
    signal.throwIfAborted()
    await run((unit) => unit.decide(apiKeys, ownerId, 'NoteIdle', { apiKeyId, idleSince }))
  }
})

/** The panel adds a notification too. If the installation sends no mail, that is the only message. */
export const mailIdleKeys = reaction('idle-api-key-mails', {
  outside: true,
  on: [apiKeyEvents.ApiKeyIdleNoted],
  async run({ data: { apiKeyId, ownerId: userId, prefix, idleSince } }, work) {
    const user = userId === null ? undefined : await recipientOf(work, userId, 'API_KEY')
    if (!user) return
    await work.mail({
      to: user.email,
      subject: `An API key of yours has not been used for ${IDLE_DAYS} days`,
      text:
        `Your API key ${prefix}… (${apiKeyId}) at ${work.baseUrl} has not been used since ${idleSince}.\n\n` +
        'It is still valid for everything that its scopes allow. If it is no longer needed, revoke it.\n',
    })
  },
})
