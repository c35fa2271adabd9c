/** Photos of people. The event says that there is one; the bytes are kept beside the events, sealed with the person's own key. */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { answer } from '#kernel/http/route'
import type { Answer, HandlerContext } from '#kernel/http/route'
import { imageOf } from '#kernel/lib/image-type'
import { found, reject, Rejection } from '#kernel/lib/rejection'
import { ERASED, SubjectErased } from '#kernel/vault/vault'
import { userTable } from '#projections/panel/users'
import { actingUser } from '../access/accounts.ts'
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
 * Takes the body of the request for the photo of `userId`, in place of an older one.
 * @throws Rejection 400 for what is no PNG, JPEG or WebP · 403 HIERARCHY · 404 · 413 · 415
 */
export async function setAvatar(call: HandlerContext, userId: string): Promise<User> {
  const { run, caller, telemetry } = call
  const id = await run(async (unit) => {
    requireChangeableUser(await unit.look(users, userId), await actingUser(unit, caller))
    return unit.newId()
  })
  const bytes = await readAll(call.upload())
  const type = imageOf(bytes)?.type ?? reject('invalid', 'The body is no PNG, JPEG or WebP', 'NOT_AN_IMAGE')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await telemetry.query(KEEP, [id, userId, await sealedPhoto(call, userId, bytes)])
  try {
    const { before, after } = await run(async (unit) => {
      const by = await actingUser(unit, caller)
      const before = await unit.load(users, userId)
      await unit.decide(users, userId, 'SetAvatar', { by, id, type, sha256 })
      return { before: before?.avatar, after: (await unit.load(users, userId))! }
    })
    // Each that takes a place drops what it found there, so of many at once the last one is left.
    if (before) await telemetry.query(DROP, [before.id])
    return after
  } catch (error) {
    // Of whatever else went wrong nobody knows whether it was recorded.
    if (error instanceof Rejection && error.statusCode < 500) await telemetry.query(DROP, [id])
    throw error
  }
}

/** @throws Rejection 404 where there is none · 403 HIERARCHY */
export async function removeAvatar({ run, caller, telemetry }: HandlerContext, userId: string): Promise<void> {
  const dropped = await run(async (unit) => {
    const by = await actingUser(unit, caller)
    const before = await unit.load(users, userId)
    await unit.decide(users, userId, 'RemoveAvatar', { by })
    return before!.avatar!.id
  })
  await telemetry.query(DROP, [dropped])
}

/** Never shown in a page of ours as anything but a picture. @throws Rejection 404, the same for an unknown person and one without a photo */
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

/** Of somebody who is erased: without his key nobody could open them. */
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
