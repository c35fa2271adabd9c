/**
 * What the agent keeps of the proxy: a file for each owner, the targets, and what HAProxy reads. Each file is replaced as a
 * whole. The configuration comes last, and is made again from the others at the next start of the agent.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { proxyFragment } from '../../tasks/proxy.ts'
import { syncDirectory } from '../ndjson-file.ts'
import { writeSecretFile } from '../secret-file.ts'
import type { ProxyConfig } from './config-text.ts'
import { BackendTargets, ownerKey } from './state.ts'
import type { ProxyState } from './state.ts'

const OWNER_ONLY = 0o700
const END = '.json'
const MAP = /^hosts-[0-9a-f]+\.map$/

const Fragment = z.strictObject(proxyFragment)
const Backends = z.record(z.string(), BackendTargets)

export interface ProxyStore {
  /** @throws Error for a file that cannot be read: nothing is changed then */
  load(): Promise<ProxyState>
  keep(before: ProxyState, after: ProxyState): Promise<void>
  /** @param check throws for a file that must not be used */
  write(config: ProxyConfig, check: (candidate: string) => Promise<void>): Promise<void>
}

export function storeIn(directory: string, configPath: string): ProxyStore {
  const fragments = join(directory, 'fragments')
  const targets = join(directory, 'targets.json')
  const fileOf = (key: string): string => join(fragments, `${key}${END}`)
  let written: string | undefined

  const readJson = async (path: string): Promise<unknown> => {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as unknown
    } catch (error) {
      throw new Error(`${path} is damaged: deploy its workload again after you have removed it`, { cause: error })
    }
  }

  return {
    async load() {
      // A host that serves nothing has no such directory.
      if (!existsSync(fragments)) return { fragments: new Map(), backends: new Map() }
      const names = (await readdir(fragments)).filter((name) => name.endsWith(END))
      const all = await Promise.all(names.map(async (name) => Fragment.parse(await readJson(join(fragments, name)))))
      const hasTargets = (await readdir(directory)).includes('targets.json')
      const backends = hasTargets ? Backends.parse(await readJson(targets)) : {}
      return {
        fragments: new Map(all.map((each) => [ownerKey(each.owner), each])),
        backends: new Map(Object.entries(backends)),
      }
    },
    async keep(before, after) {
      const changed = [...after.fragments].filter(([key, fragment]) => before.fragments.get(key) !== fragment)
      const gone = [...before.fragments.keys()].filter((key) => !after.fragments.has(key))
      // All have ended before the next turn begins. One that fails leaves the targets as they are.
      await allDone(changed.map(([key, fragment]) => writeSecretFile(fileOf(key), JSON.stringify(fragment))))
      await writeSecretFile(targets, JSON.stringify(Object.fromEntries(after.backends)))
      await allDone(gone.map((key) => rm(fileOf(key), { force: true })))
    },
    async write({ text, map }, check) {
      if (text === written) return
      await mkdir(fragments, { recursive: true, mode: OWNER_ONLY })
      const candidate = `${configPath}.new`
      await writeSecretFile(map.path, map.text)
      await writeSecretFile(candidate, text)
      await check(candidate)
      await rename(candidate, configPath)
      await syncDirectory(directory)
      written = text
      for (const name of await readdir(directory))
        if (MAP.test(name) && join(directory, name) !== map.path) await rm(join(directory, name), { force: true })
    },
  }
}

/** @throws what has failed first in their order, once all have ended */
async function allDone(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
