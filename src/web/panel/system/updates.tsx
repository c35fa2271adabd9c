import { getSystemUpdates, getSystemUpdatesLog, postSystemUpdatesCheck } from '#api-client/panel/system'
import { bytes } from '../../kit/bytes.ts'
import { Fact, Facts, Notice, Part, State } from '../../kit/controls.tsx'
import { DirectAction } from '../../kit/direct-action.tsx'
import { RecordPage, Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { Agents } from './agents.tsx'
import { ByHand, Install, NewestInstall } from './install.tsx'

export default function Updates() {
  const updates = useAnswer(getSystemUpdates)
  return (
    <RecordPage
      kind="Updates"
      answer={updates}
      title={() => 'Updates'}
      state={({ state }) => <State of={state} />}
      actions={({ nextCheckAt, ...ways }) => (
        <>
          {nextCheckAt && (
            <DirectAction operation={postSystemUpdatesCheck} input={{}} label="Check now" done="Checked" />
          )}
          <Install {...ways} />
        </>
      )}
    >
      {({ current, available, problem, checkedAt, nextCheckAt, agents, remedy, obstacle, install }) => (
        <>
          {problem && (
            <Notice tone="warn">
              <p>{problem}</p>
            </Notice>
          )}
          <ByHand remedy={remedy} obstacle={obstacle} install={install} />
          <Facts>
            <Fact label="Runs">{current.version}</Fact>
            <Fact label="Installed from">{current.sha}</Fact>
            <Fact label="Available">
              {available && (
                <>
                  {available.version}, published <Time at={available.publishedAt} />
                </>
              )}
            </Fact>
            <Fact label="Checked">
              <Time at={checkedAt} absent="not yet" />
            </Fact>
            <Fact label="Next check">
              <Time at={nextCheckAt} absent="none without a license key" />
            </Fact>
            <NewestInstall install={install} />
          </Facts>
          {available && available.files.length > 0 && (
            <Part title="Files">
              <RowsTable
                rows={available.files}
                caption="Files of the available version"
                keyOf={({ sha256 }) => sha256}
                columns={[
                  { label: 'File', of: ({ name }) => name },
                  { label: 'Size', of: ({ size }) => bytes(size) },
                  { label: 'SHA-256', of: ({ sha256 }) => <code className="long">{sha256}</code> },
                ]}
              />
            </Part>
          )}
          <Agents agents={agents} />
          <Log />
        </>
      )}
    </RecordPage>
  )
}

function Log() {
  const log = useAnswer(getSystemUpdatesLog)
  return (
    <Part title="What ran">
      <Shown answer={log}>
        {({ runs, lines }) =>
          runs.length + lines.length === 0 ? (
            <p className="soft">No other version has run here.</p>
          ) : (
            <Facts>
              {runs.map(({ version, formerVersion, at }) => (
                <Fact key={at} label={`${version} after ${formerVersion}`}>
                  <Time at={at} />
                </Fact>
              ))}
              {lines.map(({ at, text }) => (
                <Fact key={at + text} label={text}>
                  <Time at={at} />
                </Fact>
              ))}
            </Facts>
          )
        }
      </Shown>
    </Part>
  )
}
