/**
 * Mails to owners about security changes of their accounts, which an attacker could have made. The
 * texts are the same in every realm.
 */
import type { DataOf, EventType } from '../events/event.ts'
import type { JobContext } from '../jobs/job-context.ts'
import { reaction } from '../jobs/reaction.ts'
import type { ReactionEvent, Reaction } from '../jobs/reaction.ts'

type Notice = readonly [subject: string, text: string]
/** By the event's reason, if it has one; undefined for a reason without a notice. */
type Notices = Notice | Readonly<Record<string, Notice | undefined>>

/** @param advice a sentence for an owner who did not make the change */
export const ownerNoticeTexts = (advice: string) =>
  ({
    passwordChanged: ['Your password was changed', `The password of your account was changed. ${advice}`],
    totpEnabled: ['Your second factor is on', `A second factor was enabled for your account. ${advice}`],
    totpDisabled: ['Your second factor is off', `The second factor of your account was disabled. ${advice}`],
    totpReset: ['Your second factor is off', `The second factor of your account was removed. ${advice}`],
    loginFailed: {
      CODE_MISSING: [
        'Your password was used without a code',
        `The correct password of your account was entered without a code of its second factor. ${advice}`,
      ],
    },
    sessionEnded: {
      REFRESH_REUSED: [
        'One of your sessions was ended',
        `A session of your account was used in two places, which may be theft. It was ended. ${advice}`,
      ],
      WRONG_PROOFS: [
        'One of your sessions was ended',
        `Too many wrong passwords or codes were entered in a session of your account. It was ended. ${advice}`,
      ],
    },
  }) as const satisfies Record<string, Notices>

interface OwnerNoticesSpec<Type extends EventType> {
  /** By event name. */
  readonly notices: Readonly<Record<Type['type'], Notices>>
  /** The owner's address; undefined for an owner without notices. */
  to(work: JobContext, data: DataOf<Type>): Promise<string | undefined>
  /** Additional text; none by default. */
  more?(work: JobContext, event: ReactionEvent<Type>): Promise<string>
}

/** Mails the notices. If the installation cannot send mail, only the audit trail shows the change. */
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
