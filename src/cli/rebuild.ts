import type { Core } from '../composition/licensing.ts'
import { withCore } from './installation.ts'
import { progressLine, progressOn } from './progress-line.ts'
import type { ServiceProfile } from './service-profile.ts'

/** Readers see the old rows until the new ones are complete. */
export async function rebuild([name]: readonly string[], which: ServiceProfile): Promise<void> {
  const known = which.readModels.map((model) => model.name)
  if (name !== undefined && !known.includes(name))
    throw new Error(`There is no read model called ${name}. The read models are: ${known.join(', ')}.`)
  const events = await withCore((core) => rebuildReadModels(core, name), which)
  console.log(`Rebuilt ${name ?? 'every read model'} from ${events} events.`)
}

async function rebuildReadModels({ projector, store }: Core, name: string | undefined): Promise<number> {
  await projector.prepare()
  const head = await store.head()
  const progress = progressOn(process.stdout)
  const began = new Map<string, number>()
  await projector.rebuild(name, (model, position) => {
    if (!began.has(model)) began.set(model, performance.now())
    const line = progressLine(position, head, (performance.now() - began.get(model)!) / 1_000)
    progress.detail(`${model}: ${line}`)
  })
  progress.end()
  return head
}
