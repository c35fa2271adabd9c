/** Fetches in a process of its own, whose programs a test looks at: `DIRECTORY`, and a JSON of `{payload, secrets}` for each fetch. */
import { fetchPerformer } from '../../../src/agent/sources/fetch.ts'
import { perform } from './working.ts'

const [directory = '', ...all] = process.argv.slice(2)
const fetcher = fetchPerformer({ directory })
for (const each of all) {
  const { payload, secrets } = JSON.parse(each)
  const { commit } = await perform<{ commit: string }>(fetcher, payload, { secrets })
  console.log(commit)
}
