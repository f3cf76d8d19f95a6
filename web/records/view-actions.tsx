import { useQueryClient } from '@tanstack/react-query'
import { useMe } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import { changeView, deleteView, type Query, saveView, type View, viewsQuery } from './views.ts'

interface Changes {
  save: (name: string, query: Query) => Promise<unknown>
  change: (view: View, vals: object) => Promise<unknown>
  remove: (view: View) => Promise<unknown>
}

/** What can be done with views of one list; each says what it did, and a removal can be undone. */
export function useViewChanges(model: string): Changes {
  const say = useWords('records')
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: viewsQuery(model).queryKey })
  const perform = (work: Promise<void>, told: string, undo?: () => Promise<void>): Promise<unknown> => {
    const again = undo && { label: say('undo'), run: () => void undo().then(refresh, tellRefusal) }
    return work.then(refresh).then(() => tellDone(told, again), tellRefusal)
  }
  return {
    save: (name, query) => perform(saveView({ model, name, query }), say('viewSaved', { name })),
    change: ({ id, name }, vals) => perform(changeView(id, vals), say('viewSaved', { name })),
    remove: ({ id, name, query }) =>
      perform(deleteView(id), say('viewDeleted', { name }), () => saveView({ model, name, query })),
  }
}

interface Props {
  view: View
  mayShare: boolean
  changes: Changes
  onRename: () => void
}

/** What its owner, or whoever administers, does with a view. */
export function ViewActions({ view, mayShare, changes, onRename }: Props) {
  const say = useWords('records')
  const me = useMe()
  const isShared = view.user === undefined
  return (
    <>
      <MenuItem onClick={onRename}>{say('viewRename')}</MenuItem>
      <MenuItem onClick={() => changes.change(view, { is_default: !view.isDefault })}>
        {view.isDefault ? say('viewNotFirst') : say('viewFirst')}
      </MenuItem>
      {mayShare ? (
        <MenuItem onClick={() => changes.change(view, { user: isShared ? me.id : null })}>
          {isShared ? say('viewUnshare') : say('viewShare')}
        </MenuItem>
      ) : null}
      <MenuItem onClick={() => changes.remove(view)}>{say('viewDelete')}</MenuItem>
    </>
  )
}
