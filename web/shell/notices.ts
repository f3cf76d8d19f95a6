import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { call, type Row } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { areNoticesWanted } from '../data/notice-wish.ts'
import { listQuery } from '../data/queries.ts'
import { named, useWords } from '../words/words.ts'
import { noticeTitle } from './notice-words.ts'

const FIELDS = ['kind', 'res_model', 'res_id', 'title', 'detail', 'noticed_at', 'read_at'] as const
export type Notice = Row<'connect.notice', (typeof FIELDS)[number]>

const SHOWN_MAX = 30

/** One's newest notices, how many of them are new, and how they are read. */
export function useNotices() {
  const queries = useQueryClient()
  const { data: notices = [], isSuccess } = useQuery(
    listQuery('connect.notice', { fields: FIELDS, order: 'noticed_at desc, id desc', limit: SHOWN_MAX }),
  )
  const markRead = useCallback(
    async (ids: readonly number[]) => {
      await call('connect.notice', 'mark_read', { ids: [...ids] })
      await queries.invalidateQueries({ queryKey: keysOf('connect.notice') })
    },
    [queries],
  )
  const markUnread = useCallback(
    async (ids: readonly number[]) => {
      await call('connect.notice', 'mark_unread', { ids: [...ids] })
      await queries.invalidateQueries({ queryKey: keysOf('connect.notice') })
    },
    [queries],
  )
  useBrowserNotices(isSuccess ? notices : undefined)
  return { notices, isSuccess, unread: notices.filter(({ read_at: at }) => at === null).length, markRead, markUnread }
}

/** Shows what is new since the page was opened outside of it, while nobody looks at it. */
function useBrowserNotices(notices: readonly Notice[] | undefined): void {
  const say = useWords('shell')
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (notices === undefined) return
    const before = known.current
    known.current = new Set(notices.map(momentOf))
    if (before === undefined || document.visibilityState === 'visible' || !areNoticesWanted()) return
    for (const notice of notices) {
      if (notice.read_at !== null || before.has(momentOf(notice))) continue
      new Notification('Connect', { body: bodyOf(notice, say), tag: `notice-${notice.id}` })
    }
  }, [notices, say])
}

function bodyOf(notice: Notice, say: ReturnType<typeof useWords<'shell'>>): string {
  return notice.kind === 'missed' ? noticeTitle(notice, say) : named(notice.title ?? notice.detail ?? '')
}

/** What happens again is the same notice at another time. */
function momentOf({ id, noticed_at: at }: Notice): string {
  return `${id} ${at}`
}
