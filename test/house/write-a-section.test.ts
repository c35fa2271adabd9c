/** The page on writing a section: its code is the code that runs, so the compiler and the tests of these sections check it. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const page = textOf('docs/write-a-section.md')

const blocks = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => {
  const [, file = '', code = ''] = /^\/\/ (\S+)\n(.*)$/s.exec(text!) ?? []
  return { language, file, code }
})

/** The sections that the page shows in full. */
const SECTIONS: readonly (readonly [folder: string, ...projections: string[]])[] = [
  ['src/panel/roles', 'projections/panel/roles.ts'],
  ['src/licensing/announcements', 'projections/licensing/announcements.ts'],
  ['test/support/panel/notes'],
]

test('each block of code is TypeScript that names its file and stands in it', () => {
  for (const { language, file, code } of blocks) {
    expect(language).toBe('ts')
    expect(textOf(file), file).toContain(code)
    expect(code.split('\n').length, file).toBeGreaterThan(3)
  }
})

test.each(SECTIONS)('%s is shown in full', (folder, ...projections) => {
  const files = [...readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`), ...projections]
  for (const file of files)
    expect(
      blocks.filter((block) => block.file === file).map(({ code }) => code),
      file,
    ).toEqual([textOf(file)])
})
