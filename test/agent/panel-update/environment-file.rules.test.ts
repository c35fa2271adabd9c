/** The variable of a Compose project that names the image: one line changes, or none. */
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setVariables } from '../../../src/agent/panel-update/environment-file.ts'
import { scratchDirectory } from '../../support/scratch.ts'

const NEXT = { DAYBOOK_IMAGE: 'panel:2.0.0', RELEASE_SHA256: 'b' } as const
const named = (directory: string) => setVariables({ 'com.docker.compose.project.working_dir': directory }, NEXT)

test('the lines that set the variables are replaced, and no others', async () => {
  const directory = scratchDirectory()
  const path = join(directory, '.env')
  await writeFile(
    path,
    '#DAYBOOK_IMAGE=a\nMY_DAYBOOK_IMAGE=b\nDAYBOOK_IMAGE=panel:1.0.0\nDAYBOOK_IMAGES=c\nRELEASE_SHA256=\n',
  )
  expect(await named(directory)).toBe(true)
  expect(await readFile(path, 'utf8')).toBe(
    '#DAYBOOK_IMAGE=a\nMY_DAYBOOK_IMAGE=b\nDAYBOOK_IMAGE=panel:2.0.0\nDAYBOOK_IMAGES=c\nRELEASE_SHA256=b\n',
  )
})

test('a project without the file or the variable, and a link to another file, are left alone', async () => {
  const [directory, other] = [scratchDirectory(), join(scratchDirectory(), 'other')]
  expect([await setVariables({}, NEXT), await named('relative'), await named(directory)]).toEqual([false, false, false])
  await writeFile(other, 'DAYBOOK_IMAGE=panel:1.0.0\n')
  await symlink(other, join(directory, '.env'))
  expect(await named(directory)).toBe(false)
  expect(await readFile(other, 'utf8')).toBe('DAYBOOK_IMAGE=panel:1.0.0\n')
  await rm(join(directory, '.env'))
  await writeFile(join(directory, '.env'), 'DAYBOOK_IMAGE=panel:1.0.0\n')
  await symlink(other, join(directory, '.env.daybook'))
  expect(await named(directory)).toBe(true)
  expect(await readFile(other, 'utf8'), 'a link in the place of its new file').toBe('DAYBOOK_IMAGE=panel:1.0.0\n')
  const without = scratchDirectory()
  await writeFile(join(without, '.env'), 'A=1\n')
  expect(await named(without)).toBe(false)
  expect(await readFile(join(without, '.env'), 'utf8')).toBe('A=1\n')
})
