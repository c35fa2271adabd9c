/**
 * The device flow of GitHub: a person enters a code there, and the panel asks meanwhile whether that is done.
 * Source: RFC 8628, and GitHub's "Authorizing OAuth apps", device flow.
 */
import { z } from 'zod'
import { Rejection, reject } from '#kernel/lib/rejection'
import { callForge, readForgeAnswer } from './forge-calls.ts'
import type { ForgeConnection } from './forge-calls.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

interface DeviceConnection extends Pick<ForgeConnection, 'reach' | 'signal'> {
  /** Where people sign in, without a slash at its end. */
  readonly web: string
  readonly clientId: string
}

const Refused = z.object({ error: z.string() })
const Code = z.object({
  device_code: z.string().min(1).max(200),
  user_code: z.string().regex(/^[A-Z0-9-]{4,20}$/),
  verification_uri: z.url({ protocol: /^https?$/ }).max(300),
  expires_in: z.int().min(1).max(86_400),
  interval: z.int().min(1).max(300),
})
const Token = z.object({ access_token: z.string().min(1).max(8_192) })
const Waiting = Refused.extend({ interval: z.int().min(1).max(300).optional() })

export interface DeviceCode {
  /** The panel's part, which is a secret. */
  readonly deviceCode: string
  /** What the person enters. */
  readonly userCode: string
  readonly verificationUri: string
  readonly expiresInSeconds: number
  readonly intervalSeconds: number
}

export type DevicePoll =
  | { readonly state: 'PENDING'; readonly intervalSeconds: number | undefined }
  | { readonly state: 'AUTHORIZED'; readonly token: string }
  | { readonly state: 'DENIED' | 'EXPIRED' }

const post = ({ web, ...connection }: DeviceConnection, path: string, form: Readonly<Record<string, string>>) => {
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' }
  const call = { method: 'POST' as const, url: `${web}${path}`, headers, body: new URLSearchParams(form).toString() }
  return callForge(call, connection)
}

const rejectClient = (): never =>
  reject(
    'conflict',
    'GitHub does not take the client id, or its device flow is off: check the setting',
    'PROVIDER_REFUSED',
  )

/** @throws Rejection 409 PROVIDER_REFUSED · PROVIDER_UNREACHABLE */
export async function startDeviceFlow(connection: DeviceConnection): Promise<DeviceCode> {
  const asked = post(connection, '/login/device/code', { client_id: connection.clientId, scope: 'repo' })
  const body = await asked.catch((error: unknown) => {
    if (error instanceof Rejection && error.statusCode === 404) return rejectClient()
    throw error
  })
  const answer = readForgeAnswer(body, Refused.or(Code))
  if ('error' in answer) return rejectClient()
  return {
    deviceCode: answer.device_code,
    userCode: answer.user_code,
    verificationUri: answer.verification_uri,
    expiresInSeconds: answer.expires_in,
    intervalSeconds: answer.interval,
  }
}

/** @throws Rejection 409 PROVIDER_REFUSED · PROVIDER_UNREACHABLE */
export async function pollDeviceFlow(connection: DeviceConnection, deviceCode: string): Promise<DevicePoll> {
  const form = { client_id: connection.clientId, device_code: deviceCode, grant_type: GRANT }
  const answer = readForgeAnswer(await post(connection, '/login/oauth/access_token', form), Token.or(Waiting))
  if ('access_token' in answer) return { state: 'AUTHORIZED', token: answer.access_token }
  if (answer.error === 'authorization_pending' || answer.error === 'slow_down')
    return { state: 'PENDING', intervalSeconds: answer.interval }
  if (answer.error === 'access_denied') return { state: 'DENIED' }
  if (answer.error === 'expired_token') return { state: 'EXPIRED' }
  return reject('conflict', 'GitHub does not take this code any more: begin again', 'PROVIDER_REFUSED')
}
