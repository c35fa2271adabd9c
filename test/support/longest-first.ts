/**
 * The order of the test files within a project: those that give a test minutes, then the others by their size, or by how long they
 * took in the last run here. A small file may take a minute, and begun last it would run alone.
 */
import { readFileSync } from 'node:fs'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** From two minutes on, in milliseconds. */
const MINUTES = /\b(?:1[2-9]|[2-9]\d)\d_000\b/

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // In the order of the projects.
    const sorted = await super.sort(files)
    const projects = new Set(sorted.map(({ project }) => project))
    return [...projects].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      const isLong = new Map(own.map((file) => [file, MINUTES.test(readFileSync(file.moduleId, 'utf8'))]))
      return own.toSorted((one, other) => Number(isLong.get(other)) - Number(isLong.get(one)))
    })
  }
}
