/** A build by the engine's older builder, where BuildKit is off. It knows no secrets. */
import type { BuildSecrets } from '../../tasks/builds.ts'
import type { BuildContext } from './context.ts'
import { buildByEngine } from './engine-build.ts'
import type { BuildHost, BuildWork } from './engine-build.ts'
import { registryConfig } from './registry-hosts.ts'

const STEP = /^Step \d+\/\d+ : /
const CACHED = /^ ---> Using cache/
/** What the builder says of itself. */
const OWN = /^(?: ---> |Removing intermediate container |Successfully (?:built|tagged) |\s*$)/

/** @returns how many of its steps were cached */
export async function buildByClassic(
  host: BuildHost,
  work: BuildWork,
  secrets: BuildSecrets,
  context: BuildContext,
): Promise<number> {
  let [cached, begun] = [0, '']
  const line = async (text: string) => {
    if (STEP.test(text)) return work.say(text)
    if (CACHED.test(text)) cached += 1
    if (OWN.test(text)) return undefined
    return work.write('OUT', `${text}\n`)
  }
  const builder = {
    query: {},
    headers: { 'X-Registry-Config': registryConfig(secrets.registries) },
    async hear({ stream = '' }: { readonly stream?: string | undefined }) {
      const lines = (begun + stream).split('\n')
      begun = lines.pop()!
      for (const each of lines) await line(each)
    },
  }
  await buildByEngine(host, work, secrets, context, builder, work.signal).finally(() => line(begun))
  return cached
}
