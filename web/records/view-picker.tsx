import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Check, ChevronDown, Star } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { GROUP, useIsInOne, useMe } from '../data/session.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { ActionIcon, Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { useViewChanges, ViewActions } from './view-actions.tsx'
import { ViewName } from './view-name.tsx'
import classes from './views.module.css'
import { firstView, isSame, isUnfiltered, kept, type Query, type View, viewOf, viewsQuery } from './views.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const
const NO_FILTER: Query = {}

interface Props {
  /** The model that is listed. */
  model: string
  /** What the list is called without a filter: "All calls". */
  all: string
}

/**
 * Saved views of a list: what its address says, under a name. It reads and writes the address by itself, so a page puts
 * it into its head and does nothing else.
 */
export function ViewPicker({ model, all }: Props) {
  const say = useWords('records')
  const query = useSearch({ strict: false }) as Query
  const me = useMe()
  const mayShare = useIsInOne(GROUP.connectAdmin, GROUP.manager)
  const { data: views = [], isSuccess } = useQuery(viewsQuery(model))
  const [naming, setNaming] = useState<'new' | View>()
  const changes = useViewChanges(model)
  useFirstView(isSuccess ? views : undefined, query)
  const shown = viewOf(views, query)
  const isAll = shown === undefined && isUnfiltered(query)
  const mine = shown !== undefined && (shown.user === me.id || mayShare) ? shown : undefined
  const named = async (name: string): Promise<void> => {
    if (naming === 'new') await changes.save(name, kept(query))
    else if (naming !== undefined) await changes.rename(naming, name)
    setNaming(undefined)
  }
  return (
    <div className={classes.picker}>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button variant="subtle" rightSection={<ChevronDown {...ICON} />}>
            <span className={classes.name}>{plain(shown?.name ?? (isAll ? all : say('viewUnsaved')))}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ViewItems all={all} views={views} shown={shown} isAll={isAll} />
          <Menu.Divider />
          <MenuItem onClick={() => setNaming('new')}>{say('viewSaveAs')}</MenuItem>
          {mine === undefined ? null : (
            <ViewActions view={mine} mayShare={mayShare} changes={changes} onRename={() => setNaming(mine)} />
          )}
        </Menu.Dropdown>
      </Menu>
      {isAll ? null : (
        <ActionIcon
          variant="subtle"
          aria-pressed={shown !== undefined}
          aria-label={say('viewStar')}
          title={say('viewStar')}
          disabled={shown !== undefined && mine === undefined}
          onClick={() => (mine === undefined ? setNaming('new') : changes.remove(mine))}
        >
          <Star {...ICON} fill={shown === undefined ? 'none' : 'currentColor'} />
        </ActionIcon>
      )}
      <ViewName naming={naming} onName={named} onClose={() => setNaming(undefined)} />
    </div>
  )
}

interface Items {
  all: string
  views: readonly View[]
  shown: View | undefined
  isAll: boolean
}

/** One's own views, then everybody's. */
function ViewItems({ all, views, shown, isAll }: Items) {
  const say = useWords('records')
  const navigate = useNavigate()
  const open = (search: Query) => void navigate({ to: '.', search: search as never })
  const parts = [
    { label: say('viewsOwn'), views: views.filter(({ user }) => user !== undefined) },
    { label: say('viewsShared'), views: views.filter(({ user }) => user === undefined) },
  ].filter((part) => part.views.length > 0)
  return (
    <>
      <MenuItem rightSection={isAll ? <Check {...ICON} /> : null} onClick={() => open(NO_FILTER)}>
        {all}
      </MenuItem>
      {parts.map((part) => (
        <div key={part.label} role="none">
          <Menu.Label>{part.label}</Menu.Label>
          {part.views.map((view) => (
            <MenuItem
              key={view.id}
              rightSection={view === shown ? <Check {...ICON} /> : null}
              onClick={() => open(view.query)}
            >
              <span className={classes.name}>{plain(view.name)}</span>
            </MenuItem>
          ))}
        </div>
      ))}
    </>
  )
}

/** Opens the view that somebody begins with, once, where the address says nothing by itself. */
function useFirstView(views: readonly View[] | undefined, query: Query): void {
  const navigate = useNavigate()
  const isSettled = useRef(false)
  useEffect(() => {
    if (isSettled.current || views === undefined) return
    isSettled.current = true
    const first = firstView(views)
    if (first === undefined || !isSame(query, NO_FILTER)) return
    void navigate({ to: '.', search: first.query as never, replace: true })
  }, [views, query, navigate])
}
