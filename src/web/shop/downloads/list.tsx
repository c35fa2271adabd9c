import { getShopDownloads } from '#api-client/licensing/shop'
import { Empty, Fact, Facts, Part } from '../../kit/controls.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'

const MIB = 1_048_576

export default function Downloads() {
  const downloads = useAnswer(getShopDownloads)
  return (
    <Page title="Downloads">
      <Shown answer={downloads}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>The versions that your licenses entitle you to stand here.</Empty>
          ) : (
            items.map(({ id, version, channel, notes, publishedAt, artifacts }) => (
              <Part key={id} title={`${version} (${channel})`}>
                <p className="small soft">
                  Published <Time at={publishedAt} />
                </p>
                <p>{notes}</p>
                <Facts>
                  {artifacts.map(({ id: file, name, size, sha256, url }) => (
                    <Fact key={file} label={`${(size / MIB).toFixed(1)} MiB`}>
                      <a href={url}>{name}</a>
                      <br />
                      <code className="small">sha256 {sha256}</code>
                    </Fact>
                  ))}
                </Facts>
              </Part>
            ))
          )
        }
      </Shown>
    </Page>
  )
}
