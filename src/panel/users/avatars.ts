/** Photos of accounts. The event records one; its bytes are outside the log, sealed with the account's key. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { answer } from '#kernel/http/route'
import type { Answer, HandlerContext } from '#kernel/http/route'
import { imageOf } from '#kernel/lib/image-type'
import { found, reject, Rejection } from '#kernel/lib/rejection'
import { ERASED, SubjectErased } from '#kernel/vault/vault'
import { userTable } from '#projections/panel/users'
import { runAsCaller } from '../access/accounts.ts'
import { requireChangeableUser, users } from './decider.ts'
import type { User } from './decider.ts'
import { sealedForUser } from './events.ts'

export const AVATAR_UPLOAD = { bytesMax: 1_048_576 }

const FIELD = 'photo'
const KEEP = 'INSERT INTO telemetry.avatar (avatar_id, user_id, sealed) VALUES ($1, $2, $3)'
const FIND = 'SELECT sealed FROM telemetry.avatar WHERE avatar_id = $1'
const DROP = 'DELETE FROM telemetry.avatar WHERE avatar_id = $1'
const FORGET = 'DELETE FROM telemetry.avatar WHERE user_id = $1'

/**
 * Stores the request body as the photo of `userId` and replaces an older one.
 * @throws Rejection 400 for a body that is not PNG, JPEG or WebP · 403 HIERARCHY · 404 · 413 · 415
 */
export async function setAvatar(call: HandlerContext, userId: string): Promise<User> {
  const { telemetry } = call
  const id = await runAsCaller(call, async (unit, by) => {
    requireChangeableUser(await unit.look(users, userId), by)
    return unit.newId()
  })
  const bytes = await readAll(call.upload())
  const type = imageOf(bytes)?.type ?? reject('invalid', 'The body is not a PNG, JPEG or WebP image', 'NOT_AN_IMAGE')
  const sha256 = hash('sha256', bytes, 'hex')
  await telemetry.query(KEEP, [id, userId, await sealedPhoto(call, userId, bytes)])
  try {
    const { before, after } = await runAsCaller(call, async (unit, by) => {
      const before = await unit.load(users, userId)
      await unit.decide(users, userId, 'SetAvatar', { by, id, type, sha256 })
      return { before: before?.avatar, after: (await unit.load(users, userId))! }
    })
    // Each upload deletes the photo that it replaced, so concurrent uploads leave only one.
    if (before) await telemetry.query(DROP, [before.id])
    return after
  } catch (error) {
    // After any other error, it is unknown whether the event was stored, so the bytes must stay.
    if (error instanceof Rejection && error.statusCode < 500) await telemetry.query(DROP, [id])
    throw error
  }
}

/** @throws Rejection 404 if the account has no photo · 403 HIERARCHY */
export async function removeAvatar(call: HandlerContext, userId: string): Promise<void> {
  const dropped = await runAsCaller(call, async (unit, by) => {
    const before = await unit.load(users, userId)
    await unit.decide(users, userId, 'RemoveAvatar', { by })
    return before!.avatar!.id
  })
  await call.telemetry.query(DROP, [dropped])
}

/**
 * Served as an attachment, so that a browser never runs an upload as a page of the panel.
 * @throws Rejection 404 for an unknown account and for one without a photo
 */
export async function avatarOf(
  { read, telemetry, vault }: Pick<HandlerContext, 'read' | 'telemetry' | 'vault'>,
  userId: string,
): Promise<Answer<Buffer>> {
  const user = await userTable
    .queryIn(read)
    .select(['avatarId', 'avatarType'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const { avatarId, avatarType } = found(user)
  const { rows } = await telemetry.query<{ sealed: string }>(FIND, [avatarId])
  const { sealed } = found(rows[0])
  const photo = await vault.open(sealed, { subject: sealedForUser({ userId }), field: FIELD })
  const extension = avatarType!.replace('image/', '')
  return answer(photo === ERASED ? found<never>(undefined) : Buffer.from(photo, 'base64'), 200, {
    'Content-Type': avatarType!,
    'Content-Disposition': `attachment; filename="avatar.${extension}"`,
  })
}

/** The photos of an erased account; without its key they cannot be decrypted anyway. */
export const forgetAvatars = (telemetry: Pool, userId: string): Promise<unknown> => telemetry.query(FORGET, [userId])

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

async function sealedPhoto({ vault }: HandlerContext, userId: string, bytes: Buffer): Promise<string> {
  try {
    const at = { subject: sealedForUser({ userId }), type: 'UserAvatarSet', field: FIELD }
    return await vault.seal(bytes.toString('base64'), at)
  } catch (error) {
    if (error instanceof SubjectErased) return found<never>(undefined)
    throw error
  }
}
