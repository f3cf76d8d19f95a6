import type { Group } from '../data/session.ts'
import { useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import type { Keys } from '../words/keys.ts'
import { useWords } from '../words/words.ts'

const NAMES: Readonly<Record<Group, Keys['shell']>> = {
  'connect.group_user': 'groupUser',
  'connect.group_admin': 'groupAdmin',
  'base.group_erp_manager': 'groupManager',
  'helpdesk.group_user': 'groupHelpdesk',
  'helpdesk.group_manager': 'groupHelpdeskManager',
}

/** Says for whom a page is, and what the reader is. */
export function NotAllowed({ groups }: { groups: readonly Group[] }) {
  const say = useWords('shell')
  const { groups: own } = useMe()
  const list = (named: readonly Group[]) => named.map((group) => say(NAMES[group])).join(', ')
  const mine = Object.keys(NAMES).filter((group) => own.includes(group)) as Group[]
  return (
    <EmptyState
      title={say('notAllowed', { groups: list(groups) })}
      detail={mine.length === 0 ? say('inNoGroup') : say('youAreIn', { groups: list(mine) })}
    />
  )
}
