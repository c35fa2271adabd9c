/** The secrets with which deliveries to an application are signed. */

export interface WebhookSecrets {
  readonly secret: string
  /** The one before the newest rotation, with the moment until which it is accepted. */
  readonly former: { readonly secret: string; readonly until: string } | null
}

export const rotatedSecrets = (
  webhook: WebhookSecrets | undefined,
  secret: string,
  formerUntil: string | null,
): WebhookSecrets => ({
  secret,
  former: webhook && formerUntil !== null ? { secret: webhook.secret, until: formerUntil } : null,
})

/** Those that are accepted at that moment, at least one. */
export const acceptedSecrets = ({ secret, former }: WebhookSecrets, at: Date): readonly string[] =>
  former && Date.parse(former.until) > at.getTime() ? [secret, former.secret] : [secret]
