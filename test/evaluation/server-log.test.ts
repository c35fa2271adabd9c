/** The log of the embedded server, which is kept once it is large. */
import { closeSync, existsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openServerLog } from '../../src/evaluation/embedded-postgres/server-log.ts'
import { scratchPath } from '../support/scratch.ts'

test('a log of 10 MB goes on; with one byte more it is renamed', () => {
  const path = scratchPath()
  const open = () => closeSync(openServerLog(path).handle)
  writeFileSync(path, '')
  truncateSync(path, 10_000_000)
  open()
  expect(existsSync(`${path}.1`)).toBe(false)
  truncateSync(path, 10_000_001)
  open()
  expect([statSync(path).size, statSync(`${path}.1`).size]).toEqual([0, 10_000_001])
})
