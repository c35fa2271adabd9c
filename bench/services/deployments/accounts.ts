/** Further accounts of an evaluation: one account may have ten streams of logs at once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ShopSite } from '../../../drills/shop-site.ts'

const PASSWORD = 'tidal-lantern-quartz-of-viewers-09'
const MAIL_MS = 20_000

/** @returns the headers of a session of each */
export async function moreAccounts({ call, dataDir }: ShopSite, count: number): Promise<Record<string, string>[]> {
  const made: Record<string, string>[] = []
  for (let nth = 1; nth <= count; nth += 1) {
    const email = `viewer-${nth}@bench.example`
    await call('POST', '/api/admin/users', { email, role: 'SUPERADMIN' })
    const token = await mailedToken(join(dataDir, 'mailbox'), email)
    await call('POST', '/api/auth/reset-password', { token, password: PASSWORD })
    const { accessToken } = await call('POST', '/api/auth/login', { email, password: PASSWORD })
    made.push({ authorization: `Bearer ${accessToken}` })
  }
  return made
}

/** @throws Error when no mail arrives */
async function mailedToken(mailbox: string, email: string): Promise<string> {
  for (const late = performance.now() + MAIL_MS; performance.now() < late; await pause(50)) {
    const mail = mailsIn(mailbox).find((each) => each.includes(email))
    const token = mail?.match(/[#?&]token=([\w-]{20,})/)?.[1]
    if (token !== undefined) return token
  }
  throw new Error(`No mail to ${email} has a link`)
}

/** Their lines are cut by =, and = is written as =3D. */
function mailsIn(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.eml'))
    return names.map((name) =>
      readFileSync(join(directory, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '='),
    )
  } catch {
    return []
  }
}
