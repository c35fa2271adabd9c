/**
 * `npm run prose [PATH…]`: checks the rules of style that a program can check (CONTRIBUTING.md). Comments,
 * descriptions, messages and docs have no personal and no indefinite pronouns. A description is at most 140
 * characters long. No file has marks of a merge.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Visitor, parseSync } from 'oxc-parser'

const DESCRIPTION_MAX = 140
const WORDS =
  /\b(whoever|whomever|whosever|somebody|someone|nobody|no one|anybody|anyone|everybody|everyone|he|him|his|himself|she|her|hers|herself)\b/i

interface Text {
  readonly at: number
  readonly text: string
  readonly isDescription?: boolean
}

/** The argument that holds a message for people, by the name of the function. */
const MESSAGES: Readonly<Record<string, number>> = { reject: 1, found: 1, Error: 0, Rejection: 1 }

/** A call that begins with a route's line has its description next. */
const ROUTE_LINE = /^(GET|POST|PATCH|PUT|DELETE) \//

/** The comments, descriptions and messages of a module. */
function textsOf(file: string, source: string): Text[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const texts: Text[] = comments.map(({ start, value }) => ({ at: start, text: value }))
  const add = (node: any, isDescription = false): void => {
    if (node?.type === 'Literal' && typeof node.value === 'string')
      texts.push({ at: node.start, text: node.value, isDescription })
    if (node?.type === 'TemplateLiteral')
      for (const { start, value } of node.quasis) texts.push({ at: start, text: value.cooked ?? '' })
    if (node?.type === 'BinaryExpression') for (const side of [node.left, node.right]) add(side)
  }
  const call = ({ callee, arguments: given }: any): void => {
    const place = callee.type === 'Identifier' ? MESSAGES[callee.name] : undefined
    if (place !== undefined) add(given[place])
    if (ROUTE_LINE.test(given[0]?.value)) add(given[1], true)
  }
  new Visitor({
    CallExpression: call,
    NewExpression: call,
    Property: ({ key, value }: any) => {
      if (key.type === 'Identifier' && key.name === 'does') add(value, true)
    },
  }).visit(program)
  return texts
}

function problemsIn(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const texts = file.endsWith('.md') ? [{ at: 0, text: source }] : textsOf(file, source)
  const lineAt = (at: number): number => source.slice(0, at).split('\n').length
  return texts.flatMap(({ at, text, isDescription }: Text) => {
    const first = lineAt(at)
    const found = text.split('\n').flatMap((line, index) => {
      const word = WORDS.exec(line)?.[0]
      return word === undefined ? [] : [`${file}:${first + index}: “${word}” names no subject`]
    })
    const isLong = isDescription === true && text.length > DESCRIPTION_MAX
    return isLong ? [...found, `${file}:${first}: a description of ${text.length} characters`] : found
  })
}

const paths = process.argv.slice(2)
/** What a merge leaves where both sides changed a line, in a file of any kind. */
function conflicts(): string[] {
  const search = ['grep', '-nE', '^(<<<<<<<|>>>>>>>)( |$)', '--', ...paths]
  const { stdout } = spawnSync('git', search, { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

const listed = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' }).split('\n')
const files = listed.filter((file) => /\.(ts|mjs|md)$/.test(file) && !/^(CHANGELOG\.md|test\/golden\/)/.test(file))
const problems = [...conflicts(), ...files.flatMap(problemsIn)]
for (const problem of problems) console.log(problem)
console.log(
  problems.length === 0 ? `The prose of ${files.length} files keeps the rules` : `${problems.length} lines do not`,
)
process.exitCode = problems.length === 0 ? 0 : 1
