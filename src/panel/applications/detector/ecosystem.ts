/** How one kind of source is recognised, and what is made of it. */
import type { BaseImages } from './base-images.ts'
import type { SourceFiles } from './source-files.ts'

export interface DetectorOptions {
  readonly baseImages: BaseImages
  /** The port that the application shall serve. Null: the usual one of its kind. */
  readonly port: number | null
  /** Names of variables that are given to the build. */
  readonly buildArgs: readonly string[]
}

export interface Recipe {
  readonly dockerfile: string
  readonly port: number
  /** For people: what was assumed. */
  readonly notes: readonly string[]
}

/** Undefined: the source is of another kind. */
export type Ecosystem = (source: SourceFiles, options: DetectorOptions) => Recipe | undefined
