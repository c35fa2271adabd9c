/** What .dockerignore leaves out, and the messages of BuildKit that are read by hand. */
import { array, assert, constantFrom, integer, property, string, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { buildFailure } from '../../../src/agent/builds/build-failure.ts'
import { exposedPorts } from '../../../src/agent/builds/built-image.ts'
import { ignoreRules } from '../../../src/agent/builds/ignore-rules.ts'
import { bytesField, numberField, numberOf, readFields, textOf } from '../../../src/agent/builds/protobuf.ts'
import { loginAt, registryConfig } from '../../../src/agent/builds/registry-hosts.ts'

/** Cases of the reference, and how the engine's own builder decides them. */
test.each([
  ['*.log', ['a.log'], ['b/a.log', 'a.logs']],
  ['**/*.log', ['a.log', 'b/a.log', 'b/c/a.log'], ['a.txt']],
  ['*/temp*', ['b/temp', 'b/temporary/x'], ['temp', 'b/c/temp']],
  ['temp?', ['tempa', 'tempb/x'], ['temp', 'temp/x', 'tempab']],
  ['/dir/', ['dir', 'dir/x/y'], ['b/dir']],
  ['./a/../b', ['b'], ['a', 'a/b']],
  ['# a comment\n\n   \nx', ['x'], ['# a comment']],
  ['*\n!kept', ['a', 'b/kept'], ['kept', 'kept/x']],
  ['*.md\n!README*.md\nREADME-secret.md', ['a.md', 'README-secret.md'], ['README.md']],
  ['a/**', ['a/b', 'a/b/c'], ['b']],
  ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['a/bz', 'z']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '[a-c]x']],
  ['[^a]x', ['bx'], ['ax']],
  ['a\\*b', ['a*b'], ['axb']],
  ['[', [], ['[a']],
  ['.', [], ['a']],
])('%j leaves out what it names', (text, out, kept) => {
  const { isIgnored } = ignoreRules(text)
  expect([out.map(isIgnored), kept.map(isIgnored)]).toEqual([out.map(() => true), kept.map(() => false)])
})

test('no pattern takes long', () => {
  const { isIgnored } = ignoreRules(`${'*a'.repeat(200)}b\n${'**/'.repeat(200)}b`)
  const startedMs = performance.now()
  expect(isIgnored('a'.repeat(4_000))).toBe(false)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})

test('a rule without a character of its own is the path itself', () =>
  assert(
    property(array(string({ unit: constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), { minLength: 1 }), (parts) => {
      const path = parts.join('/')
      expect([ignoreRules(path).isIgnored(path), ignoreRules(path).isIgnored(`${path}c`)]).toEqual([true, false])
    }),
  ))

test('fields are read as they were written, and half a message is refused', () =>
  assert(
    property(uint8Array({ minLength: 1, maxLength: 400 }), integer({ min: 0, max: 2 ** 40 }), (bytes, number) => {
      const message = Buffer.concat([
        bytesField(1, Buffer.from(bytes)),
        numberField(2, number),
        bytesField(300, Buffer.from('ä')),
      ])
      const fields = readFields(message)
      expect(fields.map((field) => field.number)).toEqual([1, 2, 300])
      expect([fields[0]!.bytes.equals(bytes), numberOf(fields, 2), textOf(fields, 300)]).toEqual([true, number, 'ä'])
      expect(() => readFields(message.subarray(0, -1))).toThrow(RangeError)
    }),
  ))

test('Docker Hub is known by each of its names', () => {
  const logins = [
    { address: 'docker.io', username: 'ada', password: 'one' },
    { address: 'registry.example:5000', username: 'bob', password: 'two' },
  ]
  const found = (host: string) => loginAt(logins, host)?.username
  expect(['registry-1.docker.io', 'registry.example:5000', 'registry.example', 'other'].map(found)).toEqual([
    'ada',
    'bob',
    undefined,
    undefined,
  ])
  expect(Object.keys(JSON.parse(Buffer.from(registryConfig(logins), 'base64url').toString()))).toEqual([
    'https://index.docker.io/v1/',
    'registry.example:5000',
  ])
})

test('ports are numbers, each once', () =>
  expect(exposedPorts(['80/tcp', '80/udp', '53/udp', '0/tcp', '$PORT/tcp'])).toEqual([53, 80]))

test('the reason of a failure says nothing of what a step has said', () => {
  const { message } = buildFailure('process "cat secret" did not complete successfully: exit code: 2')
  expect(message).toBe('A step of the build ended with exit code 2: its log says why')
  expect(buildFailure('y'.repeat(201)).message).toBe('The build failed: its log says why')
})
