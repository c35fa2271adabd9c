/**
 * Which tests must notice a mutant, told from the tree: those that name its code, event or route, those that import its module, and
 * those of its section or room. Nothing of it is written down, so that a test may be renamed or moved.
 */
import { dirname, join } from 'node:path'
import type { CallExpression } from 'oxc-parser'
import type { Attempt, Mutant } from './mutant.ts'
import { isWide } from './operators.ts'
import { nodesOf, staticText, textOf } from './source.ts'
import type { Source } from './source.ts'

interface TestFile {
  readonly source: Source
  readonly imports: readonly string[]
  readonly cases: readonly TestCase[]
  readonly words: ReadonlySet<string>
  /** Guessed, to have fast ones first. */
  readonly seconds: number
}

interface TestCase {
  /** As much of its name as does not change. */
  readonly name: string
  readonly text: string
  readonly words: ReadonlySet<string>
  /** Its own texts, such as parts of messages that it expects. */
  readonly texts: readonly string[]
}

const TEST_FILES_MAX = 8
const NAMED_MAX = 12
const LIKELY_MAX = 6
const LIKELY_OF_FILE_MAX = 3
/** How much of what a file is worth its tests are. */
const FILE_SHARE = 0.3
/** A word of more test files is about something else in most of them. */
const MENTIONS_MAX = 15
/** A file that takes so long counts half. */
const SLOW_SECONDS = 40
const NAME_CHARACTERS_MIN = 8

const FAST_SECONDS_MAX = 4
const isFast = ({ seconds }: TestFile): boolean => seconds <= FAST_SECONDS_MAX

/** The first file is run whole in any case. */
const WHOLE_FILES_SECONDS_MAX = 60
/** Some of these survive whatever is run. */
const OF_WIDE_SECONDS_MAX = 15

function withinBudget(files: readonly TestFile[], secondsMax: number): TestFile[] {
  let seconds = 0
  return files.filter((file, index) => {
    const fits = index === 0 || seconds + file.seconds <= secondsMax
    if (fits) seconds += file.seconds
    return fits
  })
}

const isTest = ({ file }: Source): boolean => file.endsWith('.test.ts')
/** The generator's own tests, and those that hold lists of other things than the service's promises. */
const ELSEWHERE = /^test\/(mutants\/|house\/(attack-rows|bench|docs|prose|supply-chain))/

export class TestFinder {
  readonly #files: readonly TestFile[]
  readonly #importers: ReadonlyMap<string, readonly string[]>
  readonly #support: readonly Source[]
  readonly #caseCounts = new Map<string, number>()

  /** @param sources all of src, projections and test */
  constructor(sources: readonly Source[]) {
    const imports = new Map(sources.map((source) => [source.file, importsOf(source)]))
    const reached = (file: string, seen = new Set<string>()): Set<string> => {
      for (const each of imports.get(file) ?? [])
        if (each.startsWith('test/') && !seen.has(each)) reached(each, seen.add(each))
      return seen
    }
    this.#importers = importersOf(imports)
    this.#support = sources.filter((source) => source.file.startsWith('test/support/'))
    this.#files = sources
      .filter((source) => isTest(source) && !ELSEWHERE.test(source.file))
      .map((source) => ({
        source,
        imports: imports.get(source.file)!,
        cases: casesOf(source),
        words: wordsOf(source.text),
        seconds: secondsOf(source, reached(source.file)),
      }))
  }

  /** The runs that are to notice the mutant: first files that start nothing, then tests that speak of it, then files whole. */
  attemptsFor(mutant: Mutant): readonly Attempt[] {
    if (mutant.attempts) return mutant.attempts
    const scores = this.#scores(mutant)
    const files = this.#files
      .filter(({ source }) => !isOfOtherService(source.file, mutant.file))
      .map((file) => ({ file, worth: (scores.get(file) ?? 0) / (1 + file.seconds / SLOW_SECONDS) }))
      .filter(({ worth }) => worth > 0)
      .toSorted((one, other) => other.worth - one.worth)
      .map(({ file }) => file)
      .slice(0, TEST_FILES_MAX)
    const terms = mutant.terms.filter((term) => this.#mentioning(term).length <= MENTIONS_MAX)
    const [fast, slow] = [files.filter(isFast), files.filter((file) => !isFast(file))]
    const named = slow.flatMap((file) => namedAttempt(file, terms) ?? [])
    const whole = (each: readonly TestFile[]) => each.map(({ source }) => ({ test: source.file }))
    const likely = this.#likely(mutant, [...whole(fast), ...named], scores)
    return [
      ...whole(fast),
      ...named,
      ...likely,
      ...whole(withinBudget(slow, isWide(mutant) ? OF_WIDE_SECONDS_MAX : WHOLE_FILES_SECONDS_MAX)),
    ]
  }

  /** Of all other tests those that have most words in common with the mutant: one test of a slow file takes less than the file. */
  #likely(mutant: Mutant, before: readonly Attempt[], scores: ReadonlyMap<TestFile, number>): Attempt[] {
    const words = wordsOf([mutant.id, ...mutant.terms].join(' '))
    const around = wordsOf(mutant.around)
    const isBefore = ({ source: { file } }: TestFile, { name }: TestCase) =>
      before.some(({ test, names }) => test === file && (names?.includes(name) ?? true))
    const found = this.#files
      .filter(({ source }) => !isOfOtherService(source.file, mutant.file))
      .flatMap((file) => {
        const ofFile = (scores.get(file) ?? 0) * FILE_SHARE
        const cases = file.cases.filter((each) => each.name.length >= NAME_CHARACTERS_MIN && !isBefore(file, each))
        const worths = cases.flatMap((each) => {
          const isExpected = each.texts.some((text) => mutant.terms.some((term) => term.includes(text)))
          const own =
            this.#shared(each.words, words) + this.#shared(each.words, around) + (isExpected ? WORTH.mention : 0)
          return own > 0 ? [{ file, name: each.name, worth: own + ofFile }] : []
        })
        return worths.toSorted((one, other) => other.worth - one.worth).slice(0, LIKELY_OF_FILE_MAX)
      })
    const likely = found.toSorted((one, other) => other.worth - one.worth).slice(0, LIKELY_MAX)
    const byFile = Map.groupBy(likely, ({ file }) => file.source.file)
    return [...byFile].map(([test, all]) => ({ test, names: all.map(({ name }) => name) }))
  }

  /** A word that few tests have counts more. */
  #shared(own: ReadonlySet<string>, words: ReadonlySet<string>): number {
    let worth = 0
    for (const word of words) if (own.has(word)) worth += 1 / Math.sqrt(this.#casesWith(word))
    return worth
  }

  #casesWith(word: string): number {
    const known = this.#caseCounts.get(word)
    if (known !== undefined) return known
    const count = this.#files.flatMap(({ cases }) => cases).filter(({ words }) => words.has(word)).length
    this.#caseCounts.set(word, count)
    return count
  }

  #scores(mutant: Mutant): Map<TestFile, number> {
    const scores = new Map<TestFile, number>()
    const add = (files: readonly TestFile[], score: number) => {
      for (const file of files) scores.set(file, (scores.get(file) ?? 0) + score / Math.sqrt(files.length))
    }
    for (const term of mutant.terms) {
      const mentioning = this.#mentioning(term)
      add(mentioning.length <= MENTIONS_MAX ? mentioning : [], WORTH.mention)
      add(this.#mentionedBySupport(term), WORTH.fixture)
    }
    for (const word of wordsOf(mutant.id))
      add(
        this.#files.filter(({ words }) => words.has(word)),
        WORTH.word,
      )
    add(
      this.#files.filter(({ imports }) => imports.includes(mutant.file)),
      WORTH.import,
    )
    for (const [folder, distance] of this.#foldersOf(mutant.file))
      add(
        this.#files.filter(({ source }) => dirname(source.file) === folder),
        WORTH.folder / (1 + distance),
      )
    return scores
  }

  #mentioning(term: string): TestFile[] {
    return this.#files.filter(({ source }) => source.text.includes(term))
  }

  /** Tests that import a fixture with the word, such as the table of who may call a route. */
  #mentionedBySupport(term: string): TestFile[] {
    const support = this.#support.filter(({ text }) => text.includes(term)).map(({ file }) => file)
    return this.#files.filter(({ imports }) => imports.some((each) => support.includes(each)))
  }

  /** The test folders of a module's section or room and of those that import it, with the number of imports between. */
  #foldersOf(file: string): Map<string, number> {
    const service = SERVICE.exec(file)?.[1]
    const folders = new Map(service === undefined ? [] : [[`test/${service}/service`, IMPORTS_AWAY_MAX]])
    let [files, seen] = [[file], new Set([file])]
    for (let distance = 0; distance <= IMPORTS_AWAY_MAX; distance += 1) {
      for (const each of files) if (!folders.has(testFolderOf(each))) folders.set(testFolderOf(each), distance)
      files = files.flatMap((each) => this.#importers.get(each) ?? []).filter((each) => !seen.has(each))
      seen = new Set([...seen, ...files])
    }
    return folders
  }
}

/** What it counts for a test file, divided among all files for which it holds. */
const WORTH = { mention: 3, fixture: 2, import: 2, folder: 2, word: 1 }

const WORD_CHARACTERS_MIN = 5

/** `unsupported` and `encoding` of UNSUPPORTED_ENCODING: they tell the tests of a section or room apart. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word.length >= WORD_CHARACTERS_MIN),
  )

const IMPORTS_AWAY_MAX = 2

const SERVICE = /^(?:src|projections|test)\/(licensing|panel)\//

/** The services never import each other, so what the tests of one say of the other's words is chance. */
function isOfOtherService(test: string, file: string): boolean {
  const [one, other] = [test, file].map((path) => SERVICE.exec(path)?.[1])
  return one !== undefined && other !== undefined && one !== other
}

/** `src/panel/teams/events.ts` and `projections/panel/teams.ts` are tested in `test/panel/teams`, `src/cli/help.ts` in `test/cli`. */
function testFolderOf(file: string): string {
  const [root, ...path] = file.replace(/\.ts$/, '').split('/')
  const folders = root === 'projections' ? path : path.slice(0, -1)
  return ['test', ...folders.slice(0, 2)].join('/')
}

const ALIASES: Readonly<Record<string, string>> = {
  '#kernel': 'src/kernel',
  '#licensing': 'src/licensing',
  '#panel': 'src/panel',
  '#projections': 'projections',
  '#test': 'test',
}

/** The modules of the project that a module imports. */
function importsOf({ file, imports }: Source): string[] {
  return imports.flatMap(({ moduleRequest: { value } }) => {
    if (value.startsWith('.')) return join(dirname(file), value)
    const [alias, ...path] = value.split('/')
    const folder = ALIASES[alias!]
    return folder === undefined ? [] : `${folder}/${path.join('/')}.ts`
  })
}

function importersOf(imports: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const [file, imported] of imports)
    for (const each of imported)
      if (!file.startsWith('test/')) importers.set(each, [...(importers.get(each) ?? []), file])
  return importers
}

/** `test(name, …)`, `test.each(table)(name, …)` and the like. */
const isTestCall = ({ callee }: CallExpression): boolean => {
  if (callee.type === 'Identifier') return callee.name === 'test' || callee.name === 'it'
  if (callee.type === 'CallExpression') return isTestCall(callee)
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'test'
}

function casesOf(source: Source): TestCase[] {
  return nodesOf(source, 'CallExpression').flatMap((call) => {
    const name = isTestCall(call) ? staticText(call.arguments[0])?.split(/[$%]/)[0] : undefined
    if (name === undefined || call.arguments.length < 2) return []
    const text = textOf(source, call)
    return [{ name, text, words: wordsOf(text), texts: textsIn(source, call) }]
  })
}

const TEXT_CHARACTERS_MIN = 10

const textsIn = (source: Source, { start, end }: CallExpression): string[] =>
  nodesOf(source, 'Literal')
    .filter((node) => node.start >= start && node.end <= end)
    .map((node) => staticText(node) ?? '')
    .filter((text) => text.length >= TEXT_CHARACTERS_MIN && text.includes(' '))

/** The tests of a file that speak of a mutant; undefined where none does, or too many do, or one cannot be named. */
function namedAttempt({ source, cases }: TestFile, terms: readonly string[]): Attempt | undefined {
  const found = cases.filter(({ text }) => terms.some((term) => text.includes(term)))
  if (found.length === 0 || found.length > NAMED_MAX || found.length === cases.length) return undefined
  const names = found.map(({ name }) => name)
  return names.every((name) => name.length >= NAME_CHARACTERS_MIN) ? { test: source.file, names } : undefined
}

const STARTS_PROCESSES = /^test\/support\/processes\//
const STARTS_SERVER = /^test\/support\/(serve|database)\.ts$/
const HAS_MANY = /storm|flood|kills|access\/access/

function secondsOf({ file, text }: Source, reached: ReadonlySet<string>): number {
  const reaches = (pattern: RegExp) => [...reached].some((each) => pattern.test(each))
  if (reaches(STARTS_PROCESSES) || HAS_MANY.test(file)) return 40
  return reaches(STARTS_SERVER) ? 5 + text.length / 2_000 : 1 + text.length / 20_000
}
