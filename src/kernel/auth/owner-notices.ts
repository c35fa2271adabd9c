/** What owners are mailed about their accounts: what another could have done in their name. In every realm the same words. */
import type { DataOf, EventType } from '../events/event.ts'
import { reaction } from '../jobs/reaction.ts'
import type { ReactionEvent, Reaction } from '../jobs/reaction.ts'
import type { JobContext } from '../jobs/job-context.ts'

type Notice = readonly [subject: string, text: string]
/** By the event's reason, where it has one; undefined for a reason that nobody is told. */
type Notices = Notice | Readonly<Record<string, Notice | undefined>>

/** @param advice a sentence for an owner who did not do it */
export const ownerNoticeTexts = (advice: string) =>
  ({
    passwordChanged: ['Your password was changed', `The password of your account was changed. ${advice}`],
    totpEnabled: ['Your second factor is on', `A second factor was enabled for your account. ${advice}`],
    totpDisabled: ['Your second factor is off', `The second factor of your account was disabled. ${advice}`],
    totpReset: ['Your second factor is off', `The second factor of your account was taken away. ${advice}`],
    loginFailed: {
      CODE_MISSING: [
        'Somebody knows your password',
        `Somebody gave the right password of your account, but no code of its second factor. ${advice}`,
      ],
    },
    sessionEnded: {
      REFRESH_REUSED: [
        'A session of yours was ended',
        `A session of your account was used in two places, which looks like theft, and was ended. ${advice}`,
      ],
      WRONG_PROOFS: [
        'A session of yours was ended',
        `Too many wrong passwords or codes were given in a session of your account, and it was ended. ${advice}`,
      ],
    },
  }) as const satisfies Record<string, Notices>

interface OwnerNoticesSpec<Type extends EventType> {
  /** By the names of the events. */
  readonly notices: Readonly<Record<Type['type'], Notices>>
  /** The owner's address; undefined for an owner who is not written to. */
  to(work: JobContext, data: DataOf<Type>): Promise<string | undefined>
  /** Text that follows; by default none. */
  more?(work: JobContext, event: ReactionEvent<Type>): Promise<string>
}

/** Mails them. Where no mail can be sent, the audit trail alone knows. */
export const ownerNotices = <const Types extends readonly EventType[]>(
  name: string,
  { on, notices, to, more }: OwnerNoticesSpec<Types[number]> & { readonly on: Types },
): Reaction =>
  reaction<readonly EventType[]>(name, {
    outside: true,
    on,
    async run(event, work) {
      const notice = noticeOf(notices[event.type as Types[number]['type']], event.data)
      const address = notice && (await work.canMail()) ? await to(work, event.data) : undefined
      if (!notice || address === undefined) return
      const [subject, text] = notice
      await work.mail({ to: address, subject, text: text + ((await more?.(work, event as never)) ?? '') })
    },
  })

const isSingleNotice = (notices: Notices): notices is Notice => Array.isArray(notices)

function noticeOf(notices: Notices, { reason = '' }: { readonly reason?: string }): Notice | undefined {
  return isSingleNotice(notices) ? notices : notices[reason]
}
