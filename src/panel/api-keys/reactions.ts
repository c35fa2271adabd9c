/** Keys that nobody uses any more: whoever owns one is told of it, since it still opens what it opens. */
import { recurringJob } from '#kernel/jobs/recurring-job'
import { reaction } from '#kernel/jobs/reaction'
import { idleKeys } from '#projections/panel/api-keys'
import { recipientOf } from '../access/mail-recipient.ts'
import { apiKeys, IDLE_DAYS } from './decider.ts'
import { ApiKeyIdleNoted } from './events.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const AT_ONCE = 500

/** What is left over is found an hour later. */
export const noteIdleKeys = recurringJob('idle-api-keys', HOUR_MS, async ({ run, read, now, signal }) => {
  const before = new Date(now.getTime() - IDLE_DAYS * DAY_MS)
  for (const { id: apiKeyId, ownerId, idleSince } of await idleKeys(read, { now, before, limit: AT_ONCE })) {
    signal.throwIfAborted()
    await run((unit) => unit.decide(apiKeys, ownerId, 'NoteIdle', { apiKeyId, idleSince }))
  }
})

/** Told in the panel as well, where that is all that is sent. */
export const mailIdleKeys = reaction('idle-api-key-mails', {
  outside: true,
  on: [ApiKeyIdleNoted],
  async run({ data: { apiKeyId, ownerId: userId, prefix, idleSince } }, work) {
    const user = userId === null ? undefined : await recipientOf(work, userId, 'API_KEY')
    if (!user) return
    await work.mail({
      to: user.email,
      subject: `An API key of yours has not been used for ${IDLE_DAYS} days`,
      text:
        `Your API key ${prefix}… (${apiKeyId}) at ${work.baseUrl} has not been used since ${idleSince}.\n\n` +
        'It still opens everything that it was made for. If nobody needs it any more, revoke it.\n',
    })
  },
})
