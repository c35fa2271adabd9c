import { deleteAuthProfileAvatar, patchAuthProfile } from '#api-client/panel/auth'
import { getUsersByIdAvatar, getUsersMe } from '#api-client/panel/users'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer, useSession } from '../../session/context.tsx'
import { Photo } from '../../session/photo.tsx'
import { PhotoUpload } from './photo-upload.tsx'

export function Profile() {
  const me = useAnswer(getUsersMe)
  const { reread } = useSession()
  return (
    <Shown answer={me}>
      {({ id, name, role, avatarId, createdAt }) => (
        <Part
          title="Profile"
          actions={
            <>
              <Action
                operation={patchAuthProfile}
                label="Change the name"
                initial={{ name }}
                isOwn
                done="Your name is changed"
                onDone={() => void reread()}
              />
              <PhotoUpload hasOne={avatarId !== null} />
              <Action
                operation={deleteAuthProfileAvatar}
                label="Remove the photo"
                isOffered={avatarId !== null}
                done="Your photo is removed"
              />
            </>
          }
        >
          <Facts>
            <Fact label="Photo">
              {avatarId === null ? (
                'none'
              ) : (
                <Photo key={avatarId} operation={getUsersByIdAvatar} input={{ params: { id } }} of="You" />
              )}
            </Fact>
            <Fact label="Name">{name}</Fact>
            <Fact label="Role">{wordOf(role)}</Fact>
            <Fact label="Created">
              <Time at={createdAt} />
            </Fact>
          </Facts>
        </Part>
      )}
    </Shown>
  )
}
