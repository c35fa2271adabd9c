import { Link } from 'wouter'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import {
  deleteNotifications,
  deleteNotificationsById,
  getNotifications,
  getNotificationsUnreadCount,
  postNotificationsByIdRead,
  postNotificationsReadAll,
} from '#api-client/panel/notifications'
import { Action } from '../../kit/action.tsx'
import { Empty, State } from '../../kit/controls.tsx'
import { DirectAction } from '../../kit/direct-action.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'

type Notification = ItemOf<DataOf<typeof getNotifications>>

export default function Inbox() {
  const { data } = useAnswer(getNotificationsUnreadCount)
  return (
    <Page
      title="Inbox"
      actions={
        <>
          {data !== undefined && data.count > 0 && (
            <DirectAction
              operation={postNotificationsReadAll}
              input={{}}
              label="Mark all as read"
              done="All notifications are read"
            />
          )}
          <Action
            operation={deleteNotifications}
            label="Delete all"
            tone="bad"
            about={<p>All notifications are deleted, also those that you have not read.</p>}
            done="All notifications are deleted"
          />
        </>
      }
    >
      <RecordTable
        operation={getNotifications}
        caption="Notifications"
        keyOf={({ id }) => id}
        columns={[
          { label: 'Notification', of: (notification) => <Title of={notification} /> },
          { label: 'About', of: ({ kind }) => wordOf(kind) },
          { label: 'When', of: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Read', of: ({ readAt }) => (readAt ? <Time at={readAt} /> : <State of="UNREAD" />) },
          { label: 'Actions', of: (notification) => <Changes of={notification} /> },
        ]}
        empty={
          <Empty>What concerns your account is told here, such as a sign-in with a new device or a new role.</Empty>
        }
      />
    </Page>
  )
}

/** A link to what the notification is about. */
function Title({ of: notification }: { readonly of: Notification }) {
  const { title } = notification
  const to = placeOf(notification)
  return to ? <Link href={to}>{title}</Link> : title
}

function placeOf({ kind, projectId, teamId, apiKeyId, serverId }: Notification): string | undefined {
  if (kind === 'GIT_PROVIDER') return '/git-providers'
  if (projectId) return `/projects/${projectId}`
  if (teamId) return `/teams/${teamId}`
  if (serverId) return `/servers/${serverId}`
  return apiKeyId ? '/api-keys' : undefined
}

function Changes({ of: { id, title, readAt } }: { readonly of: Notification }) {
  const input = { params: { id } }
  return (
    <div className="row">
      {readAt === null && (
        <DirectAction
          operation={postNotificationsByIdRead}
          input={input}
          label="Mark as read"
          name={`Mark as read: ${title}`}
          done="The notification is read"
        />
      )}
      <DirectAction
        operation={deleteNotificationsById}
        input={input}
        label="Delete"
        name={`Delete: ${title}`}
        tone="quiet"
        done="The notification is deleted"
      />
    </div>
  )
}
