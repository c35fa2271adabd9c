/** What the agent beside a panel gets of the environment of the panel. */
import { expect, test } from 'vitest'
import { environmentOfAgent } from '../../src/config/agent.ts'

const ITS_OWN = {
  PATH: '/bin',
  DOCKER_HOST: 'unix:///docker.sock',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  https_proxy: 'http://proxy',
}

test('the agent gets what it reads, and no variable of the panel', () => {
  const names = [
    'PANEL_DATABASE_URL',
    'PANEL_DATABASE_OWNER_URL',
    'PANEL_SECRET_KEY',
    'SMTP_URL',
    'AWS_SECRET_ACCESS_KEY',
  ]
  const ofPanel = Object.fromEntries(names.map((name) => [name, 'canary']))
  expect(environmentOfAgent({ ...ofPanel, ...ITS_OWN })).toEqual(ITS_OWN)
})
