/** Files that are served as they are. */
import type { BaseImages } from './base-images.ts'
import { cmd, from, port, textOf } from './dockerfile.ts'
import type { Ecosystem } from './ecosystem.ts'

const USUAL_PORT = 8_080
const SERVED = '/srv'
const DIRECTORIES = ['', 'public/', 'dist/', 'build/', '_site/', 'site/', 'docs/', 'html/', 'www/']

/**
 * The lines of the stage that serves.
 * @param files the source of a COPY
 */
export function served(files: string, images: BaseImages, number: number | null): { lines: string[]; port: number } {
  const chosen = number ?? USUAL_PORT
  const program = ['/bin/busybox', 'httpd', '-f', '-p', `${chosen}`, '-h', SERVED]
  // The program does not end by SIGTERM, and has nothing to finish.
  const lines = [from(images.static), `COPY ${files} ${SERVED}`, ...port(chosen), 'STOPSIGNAL SIGKILL', cmd(...program)]
  return { lines, port: chosen }
}

export const staticFiles: Ecosystem = (source, { baseImages, port: asked }) => {
  const directory = DIRECTORIES.find((each) => source.has(`${each}index.html`))
  if (directory === undefined) return undefined
  const { lines, port } = served(directory === '' ? '.' : directory.slice(0, -1), baseImages, asked)
  return { dockerfile: textOf(lines), port, notes: [`The files of ${directory || 'the directory'} are served.`] }
}
