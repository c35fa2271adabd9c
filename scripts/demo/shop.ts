/** A customer in the shop who was provisioned without a password. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { show, tell } from './telling.ts'
import type { Call } from './telling.ts'

const MAIL_SECONDS_MAX = 30
const TOKEN = /token=([A-Za-z0-9_-]{43})/

/** The token of the newest link in the mailbox; the worker writes mails a moment later. */
async function mailedToken(mailbox: string): Promise<string> {
  for (const until = performance.now() + MAIL_SECONDS_MAX * 1_000; performance.now() < until; await pause(100)) {
    const token = mailsIn(mailbox)
      .map((mail) => TOKEN.exec(mail)?.[1])
      .find((found) => found !== undefined)
    if (token !== undefined) return token
  }
  throw new Error(`No mail with a link came within ${MAIL_SECONDS_MAX} s`)
}

function mailsIn(mailbox: string): string[] {
  try {
    const names = readdirSync(mailbox).filter((name) => name.endsWith('.eml'))
    return names.map((name) => readFileSync(join(mailbox, name), 'utf8'))
  } catch {
    return []
  }
}

export async function visits(call: Call, email: string, keyId: string, mailbox: string): Promise<void> {
  tell('The customer opens the shop. The account has no password yet, so a link is mailed')
  const password = randomBytes(18).toString('base64url')
  const asked = await call('POST', '/api/shop/auth/forgot-password', { body: { email } })
  assert.equal(asked.status, 202)
  const token = await mailedToken(mailbox)
  show('mail', 'one link, valid for ten minutes and one use')
  const chosen = await call('POST', '/api/shop/auth/reset-password', { body: { token, password } })
  assert.equal(chosen.status, 204)
  const again = await call('POST', '/api/shop/auth/reset-password', { body: { token, password } })
  assert.equal(again.status, 400)
  show('a second time', `400 ${again.body.message}`)
  const login = await call('POST', '/api/shop/auth/login', { body: { email, password } })
  assert.equal(login.status, 200)
  const licenses = await call('GET', '/api/shop/licenses', { as: login.body.accessToken })
  assert.deepEqual(
    licenses.body.items.map((license: { keyId: string }) => license.keyId),
    [keyId],
  )
  show('his licenses', `${keyId}, ${licenses.body.items[0].effectiveStatus}`)
  const staff = await call('GET', '/api/admin/customers', { as: login.body.accessToken })
  assert.equal(staff.status, 403)
  show('back office', `${staff.status} ${staff.body.message}`)
}
