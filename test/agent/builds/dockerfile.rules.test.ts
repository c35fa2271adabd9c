/** Which images a Dockerfile may take from the host, and which programs may read it. */
import { describe, expect, test } from 'vitest'
import { imagesByDigest } from '../../../src/agent/builds/digests.ts'
import { isLocal, refuseFrontends } from '../../../src/agent/builds/dockerfile.ts'

const OWN = ['base:1', 'registry.example/other:2']
const local = (...lines: readonly string[]) => isLocal(lines.join('\n'), OWN)

describe('images of the host', () => {
  test('are taken if the operator has named all of them', () => {
    expect(local('FROM base:1')).toBe(true)
    expect(local('FROM scratch', 'COPY a /a')).toBe(true)
    expect(local('# from here', 'from base:1 as Build', 'RUN make', 'FROM registry.example/other:2')).toBe(true)
    expect(local('FROM base:1 AS build', 'FROM scratch', 'COPY --from=build /a /a', 'COPY --from=0 /b /b')).toBe(true)
    expect(local('FROM base:1 AS one', 'FROM one')).toBe(true)
  })

  test.each([
    ['another name', ['FROM daybook/application-1/app:2']],
    ['another name after a known one', ['FROM base:1 AS build', 'FROM other']],
    ['an id', [`FROM sha256:${'a'.repeat(64)}`]],
    ['a name made of an argument', ['ARG BASE=other', 'FROM $BASE']],
    ['a platform', ['FROM --platform=linux/arm64 base:1']],
    ['a file of another image', ['FROM base:1', 'COPY --from=other /a /a']],
    ['a file of another image, with another flag', ['FROM base:1', 'COPY --chown=0 --from=other /a /a']],
    ['a mount of another image', ['FROM base:1', 'RUN --mount=type=bind,from=other,target=/o cat /o/secret']],
    ['a mount beside a stage', ['FROM base:1 AS a', 'COPY --from=a /a /a \\', 'RUN --mount=from=other true']],
    ['two sources in one line', ['FROM base:1 AS a', 'COPY --from=a --from=other /a /a']],
    ['a word that is split', ['FROM base:1', 'FR\\', 'OM other']],
    ['a word that is split by a comment', ['FROM base:1', 'FR\\', '# here', '', 'OM other']],
    ['a word that is split by the other character', ['# escape=`', 'FROM base:1', 'COPY --fr` ', 'om=other /a /a']],
    ['a stage that comes later', ['FROM later', 'FROM base:1 AS later']],
    ['a base that does something later', ['FROM base:1', 'ONBUILD COPY --from=other /a /a']],
    [
      'a stage that a here-document names',
      ['FROM scratch', 'COPY <<E /x', 'FROM scratch AS other:1', 'E', 'FROM other:1'],
    ],
    ['a stage with the name of an image', ['FROM scratch AS registry.example/other', 'FROM registry.example/other']],
    ['a word that is split before two line ends', ['FROM base:1', 'FR\\\r\r', 'OM other']],
    ['a file of the stage itself', ['FROM scratch AS a1b2c3', 'COPY --from=a1b2c3 / /']],
    ['a file of a stage that is not there', ['FROM scratch', 'COPY --from=0 / /']],
    ['other characters', ['FROM base:1', 'RUN echo \u2028FROM other']],
    ['a name in quotes', ['FROM "base:1"']],
  ])('are not taken for %s', (_of, lines) => {
    expect(local(...lines)).toBe(false)
  })
})

test('only a syntax of Docker reads a Dockerfile', () => {
  for (const one of [
    'FROM base:1',
    '# syntax=docker/dockerfile:1\nFROM base:1',
    '# Syntax = docker.io/docker/dockerfile-upstream:master-labs\nFROM base:1',
    '# escape=`\n# check=skip=all\nFROM base:1\n# syntax=evil/reader\n',
    '',
  ])
    expect(() => refuseFrontends(one), one).not.toThrow()
  for (const one of [
    '# syntax=evil/reader\nFROM base:1',
    '\uFEFF#syntax=evil/docker/dockerfile\nFROM base:1',
    '# escape=`\n#   SYNTAX   =   docker/dockerfiles\nFROM base:1',
    '#!/usr/bin/env docker\n# syntax=evil\nFROM base:1',
    '// syntax=evil\nFROM base:1',
    '# syntax=docker/dockerfile@evil\r\nFROM base:1',
    '{"syntax": "evil"}',
    '\n\n# syntax=evil',
  ])
    expect(() => refuseFrontends(one), one).toThrow(expect.objectContaining({ code: 'FRONTEND_REFUSED' }))
})

describe('images that are named by their digests', () => {
  const digest = `sha256:${'ab'.repeat(32)}`
  const one = `registry.example:5000/team/base:1@${digest}`
  const other = `node@${digest}`
  const found = (...lines: readonly string[]) => imagesByDigest(lines.join('\n'), [{ name: 'BASE', value: one }])

  test('are found wherever a build takes images from', () => {
    expect(found(`FROM ${one} AS a`, `from --platform=$BUILDPLATFORM ${other}`)).toEqual([one, other])
    expect(found('FROM scratch', `COPY --chown=0 --from=${one} / /`)).toEqual([one])
    expect(found('FROM scratch', `RUN --mount=type=bind,from=${one},target=/a true`)).toEqual([one])
    expect(found('FROM scratch', `ONBUILD COPY --from=${one} / /`)).toEqual([one])
    expect(found(`ARG BASE=${other}`, 'FROM ${BASE}')).toEqual([other, one])
    expect(found(`ARG OTHER=${other}`, 'FROM $OTHER')).toEqual([other])
    expect(found('FROM regis\\', one.slice(5))).toEqual([one])
    expect(found('FROM \\', '# a word', one)).toEqual([one])
  })

  test('are found though they are hidden from a reader', () => {
    expect(found('# a note \\', `FROM ${one}`)).toEqual([one])
    expect(found('ARG X=a`', `FROM ${one}`)).toEqual([one])
    expect(found('# escape=`', 'ARG X=a\\', `FROM ${one}`)).toEqual([one])
    expect(found('FROM scratch', `COPY --fr"om"=${one} / /`)).toEqual([one])
    expect(found('FROM scratch', `COPY --fr\\om='${one}' / /`)).toEqual([one])
    expect(found('FROM scratch', `COPY --from ${one} / /`)).toEqual([one])
    expect(found('FROM scratch', `RUN --mount=type=bind,fr\\om=${one.replace('6', '\\6')} true`)).toEqual([one])
    expect(found('FROM scratch', 'RUN <<"#x"', 'a \\', '#x', 'FR\\', `OM ${one}`)).toEqual([one])
  })

  test('are found in arguments that the builder knows without their declaration', () => {
    const given = [{ name: 'TARGETVARIANT', value: one }]
    for (const text of ['FROM $TARGETVARIANT', 'ARG X=$TARGETVARIANT\nFROM $X', 'FR\\\nOM $TARGET\\\n# a\nVARIANT'])
      expect(imagesByDigest(text, given), text).toEqual([one])
    expect(imagesByDigest('FROM scratch\nARG TARGETVARIANT', given)).toEqual([])
  })

  test('other text is none of them', () => {
    expect(
      found(
        'ARG VERSION=24',
        'FROM node:${VERSION}-slim AS a',
        'RUN npm install that@1 other@$VERSION from them@$VERSION',
        `ADD --checksum=${digest} https://a.example/b /b`,
        `RUN pip install a --hash=${digest}`,
        'ARG BASE',
      ),
    ).toEqual([])
    expect(found('ARG V=24', 'FROM node:$V', `FROM ${other}`)).toEqual([other])
  })

  test('are looked for in time that grows with the text alone', () => {
    const begunMs = performance.now()
    expect(found('FROM scratch', `RUN ${'a'.repeat(1_000_000)}`, 'F\\\n'.repeat(100_000))).toEqual([])
    expect(performance.now() - begunMs).toBeLessThan(5_000)
  })

  test.each([
    ['a name of parts', ['ARG AT=@', 'ARG REST=sha256:1', 'FROM base${AT}${REST}']],
    [
      'a name of parts after a declaration of two lines',
      ['ARG A=1 \\', '  AT=@ REST=sha256:1', 'FROM base${AT}${REST}'],
    ],
    ['a name of parts after what looks like a FROM', ['ARG A="\\', 'FROM a"', 'ARG AT=@', 'FROM base${AT}sha256${A}']],
    ['a value of which a part is taken', [`ARG A=evil.example/${one}`, 'FROM ${A#evil.example/}']],
    ['a value behind a part', ['FROM registry.example/$BASE']],
    ['a name of parts as a default', ['FROM ${A:-base@sha256}:$REST']],
    ['a part in a name', [`FROM base@sha256:$REST`]],
    ['a digest of a source that is an argument', ['FROM scratch', 'COPY --from=base@sha256:$A / /']],
    ['another kind of digest', [`FROM base@sha512:${'ab'.repeat(64)}`]],
    ['another kind of digest in a source', ['FROM a', `COPY --"from"=base@sha512:${'ab'.repeat(64)} / /`]],
    ['a line without an end', [...Array.from({ length: 200 }, () => '\\'), 'FROM a']],
  ])('%s is refused', (_what, lines) =>
    expect(() => found(...lines)).toThrow(expect.objectContaining({ code: 'BASE_REFUSED' })),
  )
})
