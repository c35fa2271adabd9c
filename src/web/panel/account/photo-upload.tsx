import { useRef, useState } from 'react'
import { postAuthProfileAvatar } from '#api-client/panel/auth'
import { Button } from '../../kit/controls.tsx'
import { tell } from '../../kit/overlay.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { useChange } from '../../session/context.tsx'

/** The service says which files it takes. */
export function PhotoUpload({ hasOne }: { readonly hasOne: boolean }) {
  const picker = useRef<HTMLInputElement>(null)
  const change = useChange(postAuthProfileAvatar)
  const [refused, setRefused] = useState<Error>()
  async function upload(file: File): Promise<void> {
    setRefused(undefined)
    try {
      await change({ body: file })
      tell('Your photo is set')
    } catch (error) {
      setRefused(error as Error)
    }
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        aria-label="Photo"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) void upload(file)
        }}
      />
      <Button onClick={() => picker.current?.click()}>{hasOne ? 'Replace the photo' : 'Upload a photo'}</Button>
      {refused && <RefusalNotice of={refused} />}
    </>
  )
}
