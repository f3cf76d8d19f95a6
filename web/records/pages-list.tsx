import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { Domain, FieldName, ModelName, Row } from '../data/client.ts'
import { countQuery, pagesQuery, ROWS_MAX } from '../data/queries.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { formats, useWords } from '../words/words.ts'
import { FreshRows, useListNews } from './fresh-rows.tsx'
import { type Columns, VirtualList } from './virtual-list.tsx'

interface Props<Model extends ModelName, Field extends FieldName<Model>> {
  model: Model
  label: string
  fields: readonly Field[]
  domain: Domain
  columns: (rows: readonly (Row<Model, Field> & { id: number })[]) => Columns<Row<Model, Field> & { id: number }>
  onOpen: (row: Row<Model, Field> & { id: number }) => void
  /** Takes the filter away. */
  onShowAll?: () => void
  /** What is shown without rows: a sentence, or a part of its own that knows the filters. */
  empty: ReactNode
  onPeek?: (row: Row<Model, Field> & { id: number }) => void
  children?: ReactNode
}

/** The records of a model that fit, newest first, loaded as one scrolls. */
export function PagesList<Model extends ModelName, Field extends FieldName<Model>>(props: Props<Model, Field>) {
  const { model, label, fields, domain, columns, onOpen, onShowAll, empty, onPeek } = props
  const say = useWords('records')
  const pages = useInfiniteQuery({ ...pagesQuery(model, { domain, fields }), throwOnError: true })
  const { news, loadAnew } = useListNews(pagesQuery(model, { domain, fields }).queryKey)
  const { data: total } = useQuery(countQuery(model, { domain }))
  const rows = useMemo(() => pages.data?.pages.flat() ?? [], [pages.data])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (pages.isPending) return null
  if (rows.length === 0) return <NoRows isFiltered={domain.length > 0} empty={empty} onShowAll={onShowAll} />
  const foot =
    total === undefined ? '' : say('countShown', { shown: formats.count(rows.length), total: formats.count(total) })
  const loading = isFetchingNextPage ? say('moreBelow') : ''
  const below = rows.length >= ROWS_MAX ? say('noMore') : loading
  return (
    <VirtualList
      label={label}
      items={rows}
      columns={columns(rows)}
      onOpen={onOpen}
      onNearEnd={onNearEnd}
      unfit={news.unfit}
      {...(onPeek === undefined ? {} : { onPeek })}
      above={news.fresh.length === 0 ? null : <FreshRows count={news.fresh.length} onShow={() => void loadAnew()} />}
      foot={`${foot} ${below}`}
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
