import type { Core } from '../composition/licensing.ts'
import { withCore } from './installation.ts'
import type { ServiceProfile } from './service-profile.ts'

const counted = (events: number, noun: string): string => `${events} ${noun}${events === 1 ? '' : 's'}`

/** @returns 0 if no events are parked, else 1; 2 for invalid arguments */
export async function projections([word, name]: readonly string[], which: ServiceProfile): Promise<number> {
  if (word === undefined) return withCore(listProjections, which)
  if (word !== 'retry') {
    console.error(`Usage: ${which.commandPrefix} projections [retry [NAME]]`)
    return 2
  }
  const known = which.readModels.map((model) => model.name)
  if (name !== undefined && !known.includes(name))
    throw new Error(`There is no read model called ${name}. The read models are: ${known.join(', ')}.`)
  return withCore((core) => retryParkedEvents(core, name), which)
}

async function listProjections({ projector }: Core): Promise<number> {
  const all = await projector.status()
  const width = Math.max(...all.map((each) => each.name.length), 'projection'.length)
  const row = (name: string, ...figures: (string | number)[]) =>
    console.log([name.padEnd(width), ...figures.map((figure) => String(figure).padStart(9))].join(' '))
  row('projection', 'position', 'lag', 'parked')
  for (const { name, position, lag, parked } of all) row(name, position, lag, parked)
  const streams = await projector.parkedStreams()
  if (streams.length > 0) console.log('')
  for (const { projection, stream, position, events, error } of streams)
    console.log(
      `${projection}: stream ${stream} is parked from event ${position} on, ${counted(events, 'event')}: ${error}`,
    )
  return streams.length === 0 ? 0 : 1
}

async function retryParkedEvents({ projector }: Core, name: string | undefined): Promise<number> {
  const { applied, parked } = await projector.retryParked(name)
  const still = parked === 0 ? '.' : `; ${counted(parked, 'stream')} ${parked === 1 ? 'is' : 'are'} still parked.`
  console.log(`Applied ${counted(applied, 'event')}${still}`)
  return parked === 0 ? 0 : 1
}
