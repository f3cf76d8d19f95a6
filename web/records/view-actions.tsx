import { useQueryClient } from '@tanstack/react-query'
import { useMe } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import type { Values } from './record-values.ts'
import { useTakeBack } from './take-back.ts'
import { changeView, deleteView, type Query, saveView, type View, viewsQuery } from './views.ts'

interface Changes {
  save: (name: string, query: Query) => Promise<unknown>
  rename: (view: View, name: string) => Promise<unknown>
  share: (view: View, isShared: boolean) => Promise<unknown>
  /** The one that is opened by itself, or not that any more. */
  putFirst: (view: View, isFirst: boolean) => Promise<unknown>
  remove: (view: View) => Promise<unknown>
}
interface Undo {
  label: string
  run: () => void
}

/** What can be done with views of one list; each says what it did, and can be undone. */
export function useViewChanges(model: string): Changes {
  const say = useWords('records')
  const queries = useQueryClient()
  const me = useMe()
  const takeBack = useTakeBack()
  const refresh = () => queries.invalidateQueries({ queryKey: viewsQuery(model).queryKey })
  const undoing = (undo: () => Promise<void>): Undo => ({
    label: say('undo'),
    run: () => void undo().then(refresh, tellRefusal),
  })
  const perform = (work: Promise<void>, told: string, undo?: () => Promise<Undo | undefined>): Promise<unknown> =>
    work.then(async () => {
      const again = await undo?.()
      await refresh()
      tellDone(told, again)
    }, tellRefusal)
  const change = (id: number, sent: Values, before: Values, told: string): Promise<unknown> =>
    perform(changeView(id, sent), told, () => takeBack({ model: 'connect.view', id, before, sent }))
  const ownerOf = (isShared: boolean) => (isShared ? null : me.id)
  return {
    save: (name, query) => perform(saveView({ model, name, query }), say('viewSaved', { name })),
    rename: ({ id, name: before }, name) => change(id, { name }, { name: before }, say('viewRenamed', { name })),
    share: ({ id, name }, isShared) =>
      change(
        id,
        { user: ownerOf(isShared) },
        { user: ownerOf(!isShared) },
        say(isShared ? 'viewShared' : 'viewUnshared', { name }),
      ),
    putFirst: async ({ id, name, user }, isFirst) => {
      const told = say(isFirst ? 'viewIsFirst' : 'viewIsNotFirst', { name })
      // The one that was opened until now is no longer, and is again after Undo.
      const views = await queries.ensureQueryData(viewsQuery(model))
      const last = views.find((each) => each.isDefault && each.user === user && each.id !== id)
      if (!isFirst || last === undefined) return change(id, { is_default: isFirst }, { is_default: !isFirst }, told)
      const again = () => changeView(last.id, { is_default: true })
      return perform(changeView(id, { is_default: true }), told, async () => undoing(again))
    },
    remove: ({ id, name, query, user, isDefault }) => {
      const again = () => saveView({ model, name, query, user: user ?? null, is_default: isDefault })
      return perform(deleteView(id), say('viewDeleted', { name }), async () => undoing(again))
    },
  }
}

interface Props {
  view: View
  mayShare: boolean
  changes: Changes
  onRename: () => void
}

/** What its owner, or the person who administers, does with a view. */
export function ViewActions({ view, mayShare, changes, onRename }: Props) {
  const say = useWords('records')
  const isShared = view.user === undefined
  return (
    <>
      <MenuItem onClick={onRename}>{say('viewRename')}</MenuItem>
      <MenuItem onClick={() => changes.putFirst(view, !view.isDefault)}>
        {view.isDefault ? say('viewNotFirst') : say('viewFirst')}
      </MenuItem>
      {mayShare ? (
        <MenuItem onClick={() => changes.share(view, !isShared)}>
          {isShared ? say('viewUnshare') : say('viewShare')}
        </MenuItem>
      ) : null}
      <MenuItem onClick={() => changes.remove(view)}>{say('viewDelete')}</MenuItem>
    </>
  )
}
