/** The licenses of the packages whose code a bundle contains: they ask for it. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)/i

/** @param modules the absolute paths of the bundle's modules; others than those of packages are left out */
export async function noticesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((path) => PACKAGE.exec(path.replaceAll('\\', '/'))?.[1] ?? []))
  const notices = await Promise.all([...folders].map(noticeOf))
  return `${['Daybook contains code of these packages.', ...new Set(notices.toSorted())].join('\n\n')}\n`
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`== ${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n')
}
