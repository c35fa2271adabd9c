/** Bytes that the panel itself stores for a task, by several processes at once, and where the disk takes no more. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { provide, serviceRegistry } from '#kernel/lib/services'
import { transferFiles, transferFilesIn } from '#panel/agent/transfer-files'
import { dropStored, findTransfer, readTransfer, storeForTask } from '#panel/agent/transfers'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel({ compareReadModels: false })
const directory = scratchOfFile()
const service = serviceRegistry([provide(transferFiles, transferFilesIn(directory))])
const storage = { telemetry: panel.superuser, service }
const PIECES = Array.from({ length: 20 }, (_, nth) => Buffer.alloc(10_000, nth))
const WHOLE = Buffer.concat(PIECES)
const SHA256 = createHash('sha256').update(WHOLE).digest('hex')

async function* slowly() {
  for (const piece of PIECES) {
    await pause(2)
    yield piece
  }
}

const fileOf = () => ({ transferId: randomUUID(), toTask: randomUUID(), bytesMax: WHOLE.length })

async function stored(transferId: string): Promise<Buffer> {
  const transfer = (await findTransfer(panel.superuser, transferId))!
  const call = { ...storage, abortSignal: new AbortController().signal }
  const pieces: Uint8Array[] = []
  for await (const piece of readTransfer(call, transfer)) pieces.push(piece)
  return Buffer.concat(pieces)
}

test.each([0, 5, 20, 40, 80])('a second one that begins %d ms later spoils nothing', async (ms) => {
  const file = fileOf()
  const first = storeForTask(storage, file, slowly())
  await pause(ms)
  expect(await Promise.all([first, storeForTask(storage, file, slowly())])).toEqual([SHA256, SHA256])
  expect((await stored(file.transferId)).equals(WHOLE)).toBe(true)
  expect(readdirSync(join(directory, file.transferId))).toEqual(['whole'])
})

test('bytes that end early leave nothing of them, and the next try is whole', async () => {
  const file = fileOf()
  async function* cut() {
    yield PIECES[0]!
    throw new Error('the disk takes no more')
  }
  await expect(storeForTask(storage, file, cut())).rejects.toThrow('the disk takes no more')
  expect(readdirSync(join(directory, file.transferId))).toEqual([])
  expect(await storeForTask(storage, file, slowly())).toBe(SHA256)
})

test('what is dropped while it comes is gone', async () => {
  const file = fileOf()
  const [begun, dropped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* heldBack() {
    yield PIECES[0]!
    begun.resolve()
    await dropped.promise
    yield* PIECES.slice(1)
  }
  const storing = expect(storeForTask(storage, file, heldBack())).rejects.toThrow()
  await begun.promise
  await dropStored(storage, file.transferId)
  dropped.resolve()
  await storing
  expect(existsSync(join(directory, file.transferId))).toBe(false)
})

test('more bytes than were said are refused', async () => {
  const file = { ...fileOf(), bytesMax: WHOLE.length - 1 }
  await expect(storeForTask(storage, file, slowly())).rejects.toMatchObject({ code: 'TOO_LARGE' })
  expect(existsSync(join(directory, file.transferId, 'whole'))).toBe(false)
})
