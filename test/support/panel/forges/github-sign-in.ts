/** A double of GitHub's device flow, in the shapes of its published reference. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { FORGE_TOKEN } from './forge-server.ts'

export const CLIENT_ID = 'Iv1.0123456789abcdef'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export type SignInState = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'entered'

/** @param interval in seconds, between two polls */
export async function gitHubSignIn(interval = 5) {
  let state: SignInState = 'authorization_pending'
  let codes = 0
  /** GitHub gives the token of a code once. */
  const used = new Set<string>()

  function code(form: URLSearchParams) {
    if (form.get('client_id') !== CLIENT_ID) return { status: 404, body: { error: 'Not Found' } }
    codes += 1
    const body = {
      device_code: `canary-device-code-${codes}`,
      user_code: 'WDJB-MJHT',
      verification_uri: 'https://github.com/login/device',
      expires_in: 900,
      interval,
    }
    return { status: 200, body: form.get('scope') === 'repo' ? body : { error: 'invalid_scope' } }
  }

  function token(form: URLSearchParams) {
    const device = form.get('device_code') ?? ''
    const isAsked = form.get('client_id') === CLIENT_ID && form.get('grant_type') === GRANT && device !== ''
    if (!isAsked || used.has(device)) return { status: 200, body: { error: 'incorrect_device_code' } }
    if (state === 'slow_down') return { status: 200, body: { error: state, interval: 10 } }
    if (state !== 'entered') return { status: 200, body: { error: state, error_description: 'words' } }
    used.add(device)
    return { status: 200, body: { access_token: FORGE_TOKEN, token_type: 'bearer', scope: 'repo' } }
  }

  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    const isJson = request.headers.accept === 'application/json'
    const answer = { '/login/device/code': code, '/login/oauth/access_token': token }[request.url!]
    const given = request.method === 'POST' && isForm && isJson ? answer?.(form) : undefined
    const { status, body } = given ?? { status: 422, body: { error: 'not what the reference says' } }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What people have done there. */
    is: (next: SignInState) => void (state = next),
    close: () => server[Symbol.asyncDispose](),
  }
}
