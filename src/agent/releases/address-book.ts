/**
 * The blocks of environments and the addresses of containers in them, in a file for each network. An address is on the
 * disk before it is used, and until its container is gone.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeSecretFile } from '../secret-file.ts'

const FOLDER = 'networks'
const ENDING = '.json'

const Page = z.strictObject({
  network: z.string(),
  subnet: z.cidrv4(),
  /** That was given last. */
  last: z.ipv4().nullable(),
  /** By whose they are. */
  addresses: z.record(z.string(), z.ipv4()),
})
/** What is kept of one network. */
export type Page = z.output<typeof Page>

export interface AddressBook {
  /** What cannot be read is left out: the engine knows it as well. */
  pages(): Promise<Page[]>
  /** Resolves when the disk has it. */
  write(page: Page): Promise<void>
  remove(network: string): Promise<void>
}

/** By directory: an agent may have the performers twice. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Nothing else of this agent picks or frees an address meanwhile.
 * @param directory of the agent
 */
export function withAddressBook<Result>(
  directory: string,
  work: (book: AddressBook) => Promise<Result>,
): Promise<Result> {
  const turn = (turns.get(directory) ?? Promise.resolve()).then(() => openBook(directory)).then(work)
  turns.set(
    directory,
    turn.catch(() => {}),
  )
  return turn
}

async function openBook(directory: string): Promise<AddressBook> {
  const folder = join(directory, FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    async pages() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING))
      const pages = await Promise.all(names.map((name) => pageIn(join(folder, name))))
      return pages.flatMap((page) => page ?? [])
    },
    write: (page) => writeSecretFile(join(folder, page.network + ENDING), JSON.stringify(page)),
    remove: (network) => rm(join(folder, network + ENDING), { force: true }),
  }
}

async function pageIn(path: string): Promise<Page | undefined> {
  try {
    return Page.safeParse(JSON.parse(await readFile(path, 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
