import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { Domain, FieldName, ModelName, Row } from '../data/client.ts'
import { isUnread, useNearRows } from '../data/far-pages.ts'
import { countQuery, pagesQuery, throwsInstead } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import { FreshRows, useListNews } from './fresh-rows.tsx'
import type { Columns } from './list-row.tsx'
import type { Selection } from './selection.ts'
import { VirtualList } from './virtual-list.tsx'

type Listed<Model extends ModelName, Field extends FieldName<Model>> = Row<Model, Field> & { id: number }

interface Props<Model extends ModelName, Field extends FieldName<Model>> {
  model: Model
  label: string
  fields: readonly Field[]
  domain: Domain
  /** Something was left out on purpose; where nothing is said, any condition is a filter. */
  isFiltered?: boolean
  /** Newest first without it. */
  order?: string | undefined
  columns: (rows: readonly Listed<Model, Field>[]) => Columns<Listed<Model, Field>>
  onOpen: (row: Listed<Model, Field>, rows: readonly Listed<Model, Field>[]) => void
  /** Rows can be chosen. */
  selection?: Selection
  /** What can be done with what is chosen, or with everything that fits; below the list. */
  actions?: (total: number) => ReactNode
  /** Takes the filter away. */
  onShowAll?: () => void
  /** What is shown without rows: a sentence, or a part of its own that knows the filters. */
  empty: ReactNode
  /** Space shows a record beside the list. */
  onPeek?: (row: Listed<Model, Field>) => void
  children?: ReactNode
}

/** The records of a model that fit, newest first, loaded as one scrolls. */
export function PagesList<Model extends ModelName, Field extends FieldName<Model>>(props: Props<Model, Field>) {
  const { model, label, fields, domain, order, columns, onOpen, onShowAll, empty } = props
  const { onPeek, selection, actions } = props
  const say = useWords('records')
  const pages = useInfiniteQuery({ ...pagesQuery(model, { domain, fields, order }), throwOnError: throwsInstead })
  const asked = JSON.stringify([model, domain, fields, order])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it says all that the key is made of
  const key = useMemo(() => pagesQuery(model, { domain, fields, order }).queryKey, [asked])
  const { news, loadAnew } = useListNews(key)
  const onSight = useNearRows(key, { model, fields: fields as readonly string[] }, pages.data?.pages)
  const { data: total } = useQuery(countQuery(model, { domain }))
  const rows = useMemo(() => pages.data?.pages.flat() ?? [], [pages.data])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (pages.isPending) return null
  if (rows.length === 0)
    return <NoRows isFiltered={props.isFiltered ?? domain.length > 0} empty={empty} onShowAll={onShowAll} />
  const foot =
    total === undefined ? '' : say('countShown', { shown: formats.count(rows.length), total: formats.count(total) })
  const loading = isFetchingNextPage ? say('moreBelow') : ''
  return (
    <VirtualList
      label={label}
      items={rows}
      columns={columns(rows)}
      onOpen={(row) => onOpen(row, rows)}
      onPeek={onPeek}
      selected={selection}
      onSelect={
        selection &&
        (({ id }, isRange) =>
          selection.toggle(
            id,
            rows.map((row) => row.id),
            isRange,
          ))
      }
      onNearEnd={onNearEnd}
      onSight={onSight}
      isThin={isUnread}
      unfit={news.unfit}
      above={news.fresh.length === 0 ? null : <FreshRows count={news.fresh.length} onShow={() => void loadAnew()} />}
      foot={
        <>
          {foot} {loading} {total === undefined ? null : actions?.(total)}
        </>
      }
    />
  )
}

interface NoRowsProps {
  isFiltered: boolean
  empty: ReactNode
  onShowAll: (() => void) | undefined
}

function NoRows({ isFiltered, empty, onShowAll }: NoRowsProps) {
  const say = useWords('records')
  if (typeof empty !== 'string') return empty
  return (
    <EmptyState title={isFiltered ? say('noneFits') : empty}>
      {isFiltered && onShowAll !== undefined ? (
        <Button variant="default" onClick={onShowAll}>
          {say('dropFilter')}
        </Button>
      ) : null}
    </EmptyState>
  )
}
