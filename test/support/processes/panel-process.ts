/** A panel in a process of its own, called over HTTP. */
import { expect } from 'vitest'
import type { RunningProcess } from './process.ts'

const FIRST = { email: 'ada@panel.test', password: 'a long enough passphrase 42' }

export const MEMBER = { email: 'bob@panel.test', password: 'another quite long passphrase' }

const SETUP_TOKEN = /setup token:\n\n {2}(dbu_\w{46})\n/

/** @param path below /api */
export async function callPanel(
  url: string,
  method: string,
  path: string,
  as?: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Creates the first account with the token that the panel shows. @returns its session */
export async function firstSession(url: string, { complained }: Pick<RunningProcess, 'complained'>): Promise<string> {
  await expect.poll(complained, { timeout: 20_000 }).toMatch(SETUP_TOKEN)
  const [, setupToken] = SETUP_TOKEN.exec(complained())!
  expect((await callPanel(url, 'POST', '/auth/register', undefined, { ...FIRST, setupToken })).status).toBe(201)
  return (await callPanel(url, 'POST', '/auth/login', undefined, FIRST)).body.accessToken
}

/** Creates an account through the first one, and signs it in. */
export async function memberSession(url: string, boss: string): Promise<{ id: string; as: string }> {
  const { body: made } = await callPanel(url, 'POST', '/admin/users', boss, { email: MEMBER.email, role: 'USER' })
  const [, token] = /#token=([\w-]+)/.exec(JSON.stringify(made))!
  const { password } = MEMBER
  expect((await callPanel(url, 'POST', '/auth/reset-password', undefined, { token, password })).status).toBeLessThan(
    300,
  )
  return { id: made.user.id, as: (await callPanel(url, 'POST', '/auth/login', undefined, MEMBER)).body.accessToken }
}
