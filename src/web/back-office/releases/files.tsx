import { postAdminVersionsByIdArtifacts } from '#api-client/licensing/versions'
import type { getAdminVersionsById } from '#api-client/licensing/versions'
import type { DataOf } from '#api-client/operation'
import { bytes } from '../../kit/bytes.ts'
import { Part } from '../../kit/controls.tsx'
import { wouldChange } from '../../kit/offered.ts'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { UploadFile } from './upload-file.tsx'

interface ReleaseFilesProps {
  readonly release: DataOf<typeof getAdminVersionsById>
}

export const ReleaseFiles = ({ release, release: { artifacts } }: ReleaseFilesProps) => (
  <Part title="Files">
    {artifacts.length === 0 ? (
      <p className="soft">This release has no file. It can be published when it has one.</p>
    ) : (
      <RowsTable
        caption="Files of this release"
        rows={artifacts}
        keyOf={({ id }) => id}
        columns={[
          { label: 'File', of: ({ name }) => name },
          { label: 'Size', isNumber: true, of: ({ size }) => bytes(size) },
          { label: 'SHA-256', of: ({ sha256 }) => <code>{sha256}</code> },
          {
            label: 'Signature',
            of: ({ kid, signature }) => (
              <details>
                <summary>
                  Key <code title={kid}>{kid.slice(0, 8)}</code>
                </summary>
                <pre>{signature}</pre>
              </details>
            ),
          },
          { label: 'Added', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    )}
    {wouldChange(postAdminVersionsByIdArtifacts, release) && <UploadFile releaseId={release.id} />}
  </Part>
)
