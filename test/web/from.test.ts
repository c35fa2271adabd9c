/** Pages leave to the operations in which states of a record they are offered. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as licensing from '#api-client/licensing'
import type { Operation } from '#api-client/operation'
import * as panel from '#api-client/panel'
import { nodesOf, nodesWithin, parseSource } from '../../scripts/mutants/source.ts'
import { wouldChange } from '../../src/web/kit/offered.ts'

const WEB = join(import.meta.dirname, '../../src/web')

const sources = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => parseSource(file, readFileSync(join(WEB, file), 'utf8')))

const elements = sources.flatMap((source) =>
  nodesOf(source, 'JSXOpeningElement').map(({ name, attributes }) => ({
    tag: name.type === 'JSXIdentifier' ? name.name : '',
    file: source.file,
    given: new Map(
      attributes.flatMap((each) =>
        each.type === 'JSXAttribute' && each.name.type === 'JSXIdentifier' ? [[each.name.name, each] as const] : [],
      ),
    ),
  })),
)

const constants: Readonly<Record<string, unknown>> = { ...licensing, ...panel }

/** The operations that an element names; a page may narrow one, as in `{ ...postAdminLicense, body }`. */
const operationsNamedIn = ({ given }: (typeof elements)[number]): readonly Operation[] =>
  nodesWithin(given.get('operation')!).flatMap((node) =>
    node.type === 'Identifier' && node.name in constants ? [constants[node.name] as Operation] : [],
  )

/** Its path names no record: it revokes all keys. */
const WITHOUT_RECORD = ['panel/api-keys/list.tsx']

test('an action of an operation with states is given the record', () => {
  const judged = elements.filter(
    (each) => each.given.has('operation') && operationsNamedIn(each).some(({ from }) => from),
  )
  expect(judged.length).toBeGreaterThan(40)
  const without = judged
    .filter(({ tag, given }) => tag.endsWith('Action') && !given.has('record'))
    .map(({ file }) => file)
  expect(without).toEqual(WITHOUT_RECORD)
  const forms = judged.filter(({ tag }) => !tag.endsWith('Action')).map(({ file }) => file)
  expect(forms.filter((file) => !/\bwouldChange\(/.test(readFileSync(join(WEB, file), 'utf8')))).toEqual([])
})

/** Files in which `isOffered` compares with a value of a record, with the reason. */
const COMPARING: Readonly<Record<string, string>> = {
  'back-office/customers/holdings.tsx': 'the body names the customer, and the path does not',
  'back-office/settings/signing-keys.tsx': 'the operation creates a key, and one waits at a time',
  'panel/applications/deployment.tsx': 'a cancelled deployment may be cancelled again, which changes nothing',
  'panel/git-providers/sign-in-at-own.tsx': 'the body names the provider, and the path does not',
  'panel/setup/mail-step.tsx': 'the source of a setting is no state',
  'panel/system/install.tsx':
    'how a version is installed, and the installation that runs, are no states of the versions',
  'shop/licenses/actions.tsx': 'the service shows the key of a revoked license too, which opens nothing',
}

test('no page repeats in which states an operation is possible', () => {
  const comparing = elements.flatMap(({ file, given }) => {
    const offered = given.get('isOffered')
    const hasText =
      offered && nodesWithin(offered).some((node) => node.type === 'Literal' && typeof node.value === 'string')
    return hasText ? [file] : []
  })
  expect(comparing.toSorted()).toEqual(Object.keys(COMPARING))
})

describe('an operation is offered', () => {
  const { postAdminLicensesByIdSuspend: suspend, patchAdminCustomersByIdStatus: setStatus } = licensing
  const { postAdminLicenseRemove: remove } = panel

  test.each([
    [suspend, undefined, {}, true],
    [suspend, { status: 'ACTIVE' }, {}, true],
    [suspend, { status: 'SUSPENDED' }, {}, false],
    [remove, { keyId: 'lic_a' }, {}, true],
    [remove, { keyId: null }, {}, false],
    [setStatus, { status: 'ACTIVE' }, { status: 'SUSPENDED' }, true],
    [setStatus, { status: 'SUSPENDED' }, { status: 'SUSPENDED' }, false],
    [setStatus, { status: 'ERASED' }, { status: 'SUSPENDED' }, false],
    [licensing.patchAdminPlansById, { active: true }, {}, true],
    [licensing.postAdminPlansByIdClone, { slug: 'a' }, { slug: 'a' }, true],
  ] as const)('%# while it would change something', (operation, record, fixed, isOffered) => {
    expect(wouldChange(operation, record, fixed)).toBe(isOffered)
  })
})
