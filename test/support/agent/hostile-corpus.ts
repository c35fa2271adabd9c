/**
 * Many hostile names in a process of its own, whose programs a test looks at: as the branch, the directory, the address and the
 * Compose file of an application. `SOURCE`, of which nothing may lead out, and the number of names.
 */
import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import fc from 'fast-check'
import { composeServices } from '#panel/applications/compose/services'
import { openDirectory, placeIn } from '../../../src/agent/sources/beneath.ts'
import { gitAddress } from '../../../src/agent/sources/git-address.ts'
import { gitFetch } from '../../../src/tasks/builds.ts'

const PIECES = [
  '$(touch owned)',
  '`touch owned`',
  ';touch owned;',
  '|sh',
  '&&sh -c id',
  '$IFS',
  '../',
  '/',
  '..',
  '.',
  'out',
  'in',
]
const MORE = [
  '--upload-pack=touch owned',
  '-c',
  'ext::sh -c id',
  'file://',
  'https://',
  '@{',
  '%2e%2e',
  '\0',
  '\n',
  '\\',
  "'",
  '"',
  '~',
  '#',
]
const KEYS = ['command', 'entrypoint', 'build', 'image', 'container_name', 'network_mode', 'env_file', 'extends']

const [source = '', count = '0'] = process.argv.slice(2)
const piece = fc.oneof(fc.constantFrom(...PIECES, ...MORE), fc.string({ maxLength: 3 }))
const name = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
const file = fc.tuple(fc.constantFrom(...KEYS), name).map(([key, value]) => {
  const image = key === 'image' || key === 'build' ? '' : 'image: a/b:1, '
  return `services: {app: {${image}${key}: ${JSON.stringify(value)}}}`
})

const PAYLOAD = {
  installation: 'one',
  workload: { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' },
  deploymentId: '01890000-0000-7000-8000-0000000000d1',
  url: 'https://git.example/shop',
  ref: 'main',
  directory: '',
  watch: { from: null, paths: [] },
}
function taken<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
const told = { names: 0, refs: 0, paths: 0, urls: 0, files: 0, opened: 0, escapes: [] as string[] }
const root = await realpath(source)
for (const [one, text] of fc.sample(fc.tuple(name, file), { numRuns: Number(count), seed: 1 })) {
  told.names += 1
  const takes = (more: object) => gitFetch.payload.safeParse({ ...PAYLOAD, ...more }).success
  if (takes({ ref: one })) {
    told.refs += 1
    if (/^-|\.\.|[\0-\x20~^:?*[\\]|@\{|\/$/.test(one)) told.escapes.push(`ref ${one}`)
  }
  if (takes({ directory: one })) told.paths += 1
  if (taken(() => gitAddress(`https://git.example/${one}`))) told.urls += 1
  const services = taken(() => composeServices(text)) ?? []
  told.files += services.length
  const places = services.flatMap(({ build }) => Object.values(build ?? {})).filter((each) => typeof each === 'string')
  if (places.some((place) => place.startsWith('/') || place.split('/').includes('..'))) told.escapes.push(text)
  // Also those that the payload refuses.
  const opened = await openDirectory(source, one.replaceAll('..', 'out')).catch(() => undefined)
  if (!opened) continue
  told.opened += 1
  const place = await realpath(placeIn(opened, '.'))
  await opened.close()
  if (place !== root && !place.startsWith(`${root}/`)) told.escapes.push(`directory ${one}: ${basename(place)}`)
}
console.log(JSON.stringify(told))
