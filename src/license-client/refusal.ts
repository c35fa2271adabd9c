/** What the license client refuses, in words for users. */
import type { LicenseApiReply } from './license-api.ts'

/** Its message is a text for the user. */
export class LicenseRefused extends Error {
  override readonly name = 'LicenseRefused'
  /** The error code of the service; NO_ANSWER without a response, or if it did not come from the service. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

export const NO_ANSWER = 'NO_ANSWER'
export const SIGNATURE_INVALID = 'LICENSE_SIGNATURE_INVALID'
const KEY_REFUSED =
  'The licensing service no longer accepts this license key, because it was replaced. Set the current one, which the shop and the staff have.'

export function unreachable(error: unknown): never {
  throw new LicenseRefused(
    `The licensing service did not respond: ${error instanceof Error ? error.message : 'no reason given'}`,
    NO_ANSWER,
  )
}

/** An error response is not signed: its text is shown to users, and has no other effect. */
export function licenseRefusedOf({ status, body, errorCode }: LicenseApiReply): LicenseRefused {
  if (errorCode === SIGNATURE_INVALID) return new LicenseRefused(KEY_REFUSED, errorCode)
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  return typeof message === 'string' && status >= 400
    ? new LicenseRefused(message.slice(0, 500), errorCode ?? undefined)
    : new LicenseRefused('The response did not come from the licensing service', NO_ANSWER)
}
