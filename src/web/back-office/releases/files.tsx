import { bytes } from '../../kit/bytes.ts'
import { Part } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { UploadFile } from './upload-file.tsx'

interface ReleaseFile {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly kid: string
  readonly signature: string
  readonly createdAt: string
}

interface ReleaseFilesProps {
  readonly releaseId: string
  readonly files: readonly ReleaseFile[]
  readonly isDraft: boolean
}

export const ReleaseFiles = ({ releaseId, files, isDraft }: ReleaseFilesProps) => (
  <Part title="Files">
    {files.length === 0 && (
      <p className="soft">This release has no file. {isDraft && 'It can be published when it has one.'}</p>
    )}
    {files.length > 0 && (
      <div className="table-frame">
        <table className="table">
          <caption className="only-read">Files of this release</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col" data-align="end">
                Size
              </th>
              <th scope="col">SHA-256</th>
              <th scope="col">Signature</th>
              <th scope="col">Added</th>
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <FileRow key={file.id} file={file} />
            ))}
          </tbody>
        </table>
      </div>
    )}
    {isDraft && <UploadFile releaseId={releaseId} />}
  </Part>
)

const FileRow = ({ file: { name, size, sha256, kid, signature, createdAt } }: { readonly file: ReleaseFile }) => (
  <tr>
    <td data-label="File">{name}</td>
    <td data-label="Size" data-align="end">
      {bytes(size)}
    </td>
    <td data-label="SHA-256">
      <code>{sha256}</code>
    </td>
    <td data-label="Signature">
      <details>
        <summary>
          Key <code title={kid}>{kid.slice(0, 8)}</code>
        </summary>
        <pre>{signature}</pre>
      </details>
    </td>
    <td data-label="Added">
      <Time at={createdAt} />
    </td>
  </tr>
)
