/** An agent as a process, with the test kinds: `CONFIG EFFECTS`. */
import { runAgent } from '../../../src/agent/run.ts'
import { testAskers, testBeat, testPerformers, testPlanners } from './performers.ts'

const [config = '', effects = ''] = process.argv.slice(2)
process.exitCode = await runAgent(config, {
  performers: testPerformers(effects),
  askers: testAskers,
  planners: testPlanners(effects),
  beat: testBeat,
  isReady: async () => true,
  backOff: { firstMs: 20, longestMs: 200 },
})
