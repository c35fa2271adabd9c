/** What the pages say of the source of an application. */
import type { Application } from '#api-client/panel/schemas'

export type Source = Application['source']
export type Kind = Source['kind']
export type SourceOf<K extends Kind> = Extract<Source, { readonly kind: K }>

export const KINDS: Readonly<Record<Kind, string>> = {
  IMAGE: 'an image that is there',
  GIT: 'a git repository',
  DOCKERFILE: 'a Dockerfile that is written here',
  COMPOSE: 'a Compose file that is written here',
}

export const BUILDS: Readonly<Record<SourceOf<'GIT'>['build'], string>> = {
  AUTO: 'by its Dockerfile, or by what is found',
  DOCKERFILE: 'by its Dockerfile',
  COMPOSE: 'by its Compose file',
  STATIC: 'as files of a website',
}

/** What a new source of the kind begins with. */
export const NEW: { readonly [K in Kind]: SourceOf<K> } = {
  IMAGE: { kind: 'IMAGE', image: '', registryId: null },
  GIT: {
    kind: 'GIT',
    providerId: null,
    url: '',
    branch: 'main',
    directory: '',
    build: 'AUTO',
    path: null,
    watchPaths: [],
    service: null,
  },
  DOCKERFILE: { kind: 'DOCKERFILE' },
  COMPOSE: { kind: 'COMPOSE', service: null },
}

/** In one line, for lists. */
export function sourceLine(source: Source): string {
  if (source.kind === 'IMAGE') return source.image
  if (source.kind === 'GIT') return `${source.url} · ${source.branch}`
  return source.kind === 'COMPOSE' ? 'its Compose file' : 'its Dockerfile'
}

/** Whether it is written on a page of its own, before it can be deployed. */
export const isWritten = ({ kind }: Pick<Source, 'kind'>): boolean => kind === 'DOCKERFILE' || kind === 'COMPOSE'

/** Whether its Compose file says its volumes and programs. */
export const isComposed = (source: Source): boolean =>
  source.kind === 'COMPOSE' || (source.kind === 'GIT' && source.build === 'COMPOSE')
