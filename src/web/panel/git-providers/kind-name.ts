/** The names of providers, as they write them. */
const NAMES: Readonly<Record<string, string>> = {
  GITHUB: 'GitHub',
  GITLAB: 'GitLab',
  GITEA: 'Gitea',
  BITBUCKET: 'Bitbucket',
  GENERIC: 'Git over HTTPS',
  SSH: 'Git over SSH',
}

export const kindName = (kind: string): string => NAMES[kind] ?? kind
