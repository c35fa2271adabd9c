/** The images that generated Dockerfiles begin with. */

export const BASE_IMAGES = {
  node: 'node:24-bookworm-slim',
  python: 'python:3.13-slim-bookworm',
  go: 'golang:1.25-bookworm',
  /** What a program of Go runs in. */
  'go-run': 'debian:bookworm-slim',
  php: 'php:8.4-apache-bookworm',
  composer: 'composer:2',
  /** Serves files by the program `busybox`. */
  static: 'busybox:1.37',
} as const

export type BaseImages = Readonly<Record<keyof typeof BASE_IMAGES, string>>

/** @param setting the setting `baseImages`: pairs, with a space between them */
export const baseImagesIn = (setting: string): BaseImages => ({
  ...BASE_IMAGES,
  ...Object.fromEntries(
    setting
      .split(' ')
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  ),
})
